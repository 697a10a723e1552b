import { sameValue } from '../mapping/index.ts';
import { isNormalised } from '../merge/normalised.ts';
import type { Base, BasedOn } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { VendorObservation } from '../record/observation.ts';
import { isUnnamed } from '../record/reference.ts';
import { highestKnownVersion, isBefore, isNotAfter, laterOf } from '../record/versions.ts';
import { withVendorWritesResolved } from './in-doubt-writes.ts';
import { withPairs } from './line-pairs.ts';
import { retainsRows } from './retained-rows.ts';

/** What a read of the vendor's record shows. Lockstep's own writes are distinguished from edits of vendor users. */
export type EchoCheck = {
  /** The base (last agreed values). If a sent value was read back, the base contains it in the form in which the vendor shows it. */
  readonly base: Base;
  /** The vendor's record as read, without fields that still show a value from before Lockstep's last write. */
  readonly news: VendorObservation;
  /** Fields that Lockstep sent and whose sent values no read has shown yet. */
  readonly awaitingEcho: readonly FieldName[];
  /** Fields that still show their old value although the record was read after the write: the vendor ignored the sent value. */
  readonly ignoredBySide: readonly FieldName[];
  /** Lists in which the vendor still shows rows that Lockstep removed. */
  readonly retained: readonly FieldName[];
  /** Fields whose sent values the vendor has trimmed, shortened or rounded. */
  readonly normalised: readonly FieldName[];
};

/**
 * Distinguishes Lockstep's own writes in the vendor's record as read from edits of vendor users. If an earlier read returned a newer
 * version, this read is stale and changes nothing. A sent field may still show its old value. If the record was modified after Lockstep's
 * write, a user has set the field back. Otherwise the vendor has not applied the sent value yet, or has ignored it. Pure.
 */
export function recogniseEcho(known: Base, vendor: VendorObservation, config: MappingConfig): EchoCheck {
  if (isBefore(vendor.version, highestKnownVersion(known))) return nothingNew(known, vendor);
  const base = withVendorWritesResolved(known, vendor, config);
  const basis = base.basedOn ?? NOTHING_SENT;
  const late = vendor.version !== null && vendor.version === basis.version;
  const saysNothing = (field: FieldName): boolean => late || vendor.record[field] === undefined;
  const record: Record<string, unknown> = { ...vendor.record };
  const agreed: Record<string, unknown> = { ...base.vendor };
  const lists = {
    awaitingEcho: [] as FieldName[],
    ignoredBySide: [] as FieldName[],
    retained: [] as FieldName[],
    normalised: [] as FieldName[],
  };
  for (const field of base.awaitingEcho) {
    const sent = base.vendor[field];
    const observed = vendor.record[field];
    if (sent === undefined) continue;
    if (saysNothing(field)) {
      delete record[field];
      lists.awaitingEcho.push(field);
    } else if (sameValue(field, observed, sent, config)) {
      agreed[field] = observed;
    } else if (retains(field, observed, base, config) && !basis.cleared?.includes(field)) {
      delete record[field];
      lists.awaitingEcho.push(field);
      lists.retained.push(field);
    } else if (isAsBefore(field, observed, base, config) && !isSetBack(field, vendor, basis)) {
      delete record[field];
      lists.awaitingEcho.push(field);
      lists.ignoredBySide.push(field);
    } else if (isNormalised(field, sent, observed)) {
      agreed[field] = observed;
      lists.normalised.push(field);
    }
  }
  const ignored = [...lists.ignoredBySide, ...(basis.ignoredBySide ?? []).filter(saysNothing)];
  const next = withPairs(withIgnoredBySide({ ...base, vendor: agreed as Observed }, ignored), base);
  return { base: withReference(next, vendor), news: { ...vendor, record: record as Observed }, ...lists };
}

/**
 * The base (last agreed values) with a new list of the fields whose sent values were not read back yet (`awaitingEcho`). The note `cleared`
 * names the list fields that Lockstep emptied at the vendor, because the vendor had kept removed rows. A field is removed from `cleared`
 * once a read has shown the rows that Lockstep sent afterwards.
 */
export function withAwaitingEcho(base: Base, awaitingEcho: readonly FieldName[]): Base {
  const { basedOn, ...rest } = base;
  if (basedOn === undefined || awaitingEcho.length === 0) return { ...rest, awaitingEcho };
  const { cleared, ...basis } = basedOn;
  const still = cleared?.filter((field) => awaitingEcho.includes(field)) ?? [];
  return { ...rest, awaitingEcho, basedOn: still.length === 0 ? basis : { ...basis, cleared: still } };
}

/**
 * Whether the vendor's record lacks the partner reference (the CRM record's id) and Lockstep has not sent it yet. Lockstep sends an update
 * with nothing but the reference only once.
 */
export function lacksReference(base: Base | null, vendor: VendorObservation): boolean {
  return isUnnamed(vendor.reference) && base?.referenceSent !== true;
}

/**
 * The vendor's record as last read, in which the values of an update that Lockstep has just sent replace the read values. From it, Lockstep
 * can write the CRM's half of a merge without reading the vendor again.
 */
export function optimistic(vendor: VendorObservation, { body, fields, record }: VendorIntent): VendorObservation {
  const core = body['leadOpportunity'] as { readonly partnerLeadOpportunityId?: string } | undefined;
  return {
    ...vendor,
    record: { ...vendor.record, ...record },
    reference: core?.partnerLeadOpportunityId ?? vendor.reference,
    optimistic: [...new Set([...(vendor.optimistic ?? []), ...fields])],
  };
}

function withReference(base: Base, vendor: VendorObservation): Base {
  if (isUnnamed(vendor.reference)) return base;
  const { referenceSent: _, ...rest } = base;
  return rest;
}

function nothingNew(base: Base, vendor: VendorObservation): EchoCheck {
  const news = { ...vendor, record: {}, version: highestKnownVersion(base) };
  return { base, news, awaitingEcho: base.awaitingEcho, ignoredBySide: [], retained: [], normalised: [] };
}

/** Whether the vendor shows the rows of a list that Lockstep has sent, and still shows rows that Lockstep has removed from it. */
function retains(field: FieldName, observed: unknown, base: Base, config: MappingConfig): boolean {
  return retainsRows(field, base.vendor[field], observed, previousValuesOf(base, field), config);
}

/** Whether a field still shows the value from before Lockstep's write. A list also counts if it still shows rows that Lockstep removed. */
function isAsBefore(field: FieldName, observed: unknown, base: Base, config: MappingConfig): boolean {
  const isFormer = previousValuesOf(base, field).some((value) => sameValue(field, observed, value, config));
  return isFormer || retains(field, observed, base, config);
}

function withIgnoredBySide(base: Base, ignoredBySide: readonly FieldName[]): Base {
  if (base.basedOn === undefined) return base;
  const { ignoredBySide: _, ...basedOn } = base.basedOn;
  return { ...base, basedOn: ignoredBySide.length === 0 ? basedOn : { ...basedOn, ignoredBySide } };
}

/** Whether a vendor user set a field back to its old value after Lockstep's write, judged by the vendor's clock. */
function isSetBack(field: FieldName, vendor: VendorObservation, basis: BasedOn): boolean {
  return !basis.ignoredBySide?.includes(field) && isBefore(doneBy(vendor, basis), vendor.version);
}

/** How long after a record's creation, in ms, a change of it counts as the vendor's own processing and not as a user's edit. */
const OWN_WORK_MS = 2_000;

/**
 * The instant by which the vendor had applied Lockstep's last write, by the vendor's clock, ISO; null if unknown. If the last write was a
 * create and its answer was lost, the instant is two seconds (`OWN_WORK_MS`) after the record's `createdDate`, because the vendor may still
 * process the new record until then.
 */
function doneBy({ readOnly }: VendorObservation, { answeredAt, version }: BasedOn): string | null {
  if (answeredAt !== undefined || version !== null) return answeredAt ?? null;
  const createdMs = Date.parse(String(readOnly['createdDate']));
  return Number.isNaN(createdMs) ? null : new Date(createdMs + OWN_WORK_MS).toISOString();
}

/**
 * The value of `basedOn` (notes about earlier updates at the vendor) for a base that has none. Nothing was sent, so there is no earlier
 * version and no earlier value.
 */
const NOTHING_SENT: BasedOn = { version: null, previousValues: {} };

function previousValuesOf({ basedOn = NOTHING_SENT }: Base, field: FieldName): readonly unknown[] {
  return basedOn.previousValues[field] ?? [];
}

/**
 * The base (last agreed values) with the version of this vendor record as the highest version seen, if it is higher than all earlier
 * versions. A later read with a lower version is stale. If the version may come from Lockstep's own last update, the base also stores it as
 * `versionOfOwnWrite`. Unchanged if the vendor was not read (null).
 */
export function withReading(base: Base, vendor: VendorObservation | null): Base {
  if (vendor === null) return base;
  const { versionOfOwnWrite: _, ...known } = base;
  const own = isOwnWriteVersion(base, vendor) && vendor.version !== null ? { versionOfOwnWrite: vendor.version } : {};
  return { ...known, highestSeenVersion: laterOf(highestKnownVersion(base), vendor.version), ...own };
}

/**
 * Whether the vendor's version of the record may come from Lockstep's last update and not from a user's edit. A version is the time of the
 * record's last modification by the vendor's clock. True if this time is later than the version before the update, and not later than the
 * vendor's answer to the update. Also true if an earlier read showed that the version comes from Lockstep.
 */
export function isOwnWriteVersion({ basedOn, versionOfOwnWrite }: Base, { version }: VendorObservation): boolean {
  if (versionOfOwnWrite !== undefined && version === versionOfOwnWrite) return true;
  return !isNotAfter(version, basedOn?.version ?? null) && isNotAfter(version, basedOn?.answeredAt ?? null);
}
