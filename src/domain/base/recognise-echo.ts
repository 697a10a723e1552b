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

/** What a vendor reading shows, with Lockstep's own writes distinguished from edits of vendor users. */
export type EchoCheck = {
  /** The base (last agreed values), with each sent value that was read back in the form in which the vendor shows it. */
  readonly base: Base;
  /** The vendor reading without fields that still show a value from before Lockstep's last write. */
  readonly news: VendorObservation;
  /** Fields that Lockstep sent and that no reading has shown yet. */
  readonly awaitingEcho: readonly FieldName[];
  /** Fields that still show their old value in a reading made after the write: the vendor ignored the sent value. */
  readonly ignoredBySide: readonly FieldName[];
  /** Lists in which the vendor still shows rows that Lockstep removed. */
  readonly retained: readonly FieldName[];
  /** Fields that the vendor trimmed, shortened or rounded. */
  readonly normalised: readonly FieldName[];
};

/**
 * Distinguishes Lockstep's own writes in a vendor reading from edits of vendor users. A reading with an older version than an earlier
 * reading is stale and changes nothing. A sent field may still show its old value. If the record was modified after the write, a user has
 * set the field back. Otherwise the vendor has not applied the sent value yet, or has ignored it. Pure.
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
 * The base (last agreed values) with a new list of the fields whose sent values were not read back yet (`awaitingEcho`). Also removes lists
 * that were read back from `cleared` (the lists that Lockstep cleared before it sent them).
 */
export function withAwaitingEcho(base: Base, awaitingEcho: readonly FieldName[]): Base {
  const { basedOn, ...rest } = base;
  if (basedOn === undefined || awaitingEcho.length === 0) return { ...rest, awaitingEcho };
  const { cleared, ...basis } = basedOn;
  const still = cleared?.filter((field) => awaitingEcho.includes(field)) ?? [];
  return { ...rest, awaitingEcho, basedOn: still.length === 0 ? basis : { ...basis, cleared: still } };
}

/**
 * Whether the vendor's record lacks the partner reference and no update has sent it yet. An update with nothing but the reference is sent
 * only once.
 */
export function lacksReference(base: Base | null, vendor: VendorObservation): boolean {
  return isUnnamed(vendor.reference) && base?.referenceSent !== true;
}

/**
 * A vendor reading in which the values of an update that was just sent replace the read values. From it, Lockstep can write the CRM's half
 * of a merge without reading the vendor again.
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

/** Whether the vendor shows a sent list together with rows that Lockstep removed. */
function retains(field: FieldName, observed: unknown, base: Base, config: MappingConfig): boolean {
  return retainsRows(field, base.vendor[field], observed, previousValuesOf(base, field), config);
}

/**
 * Whether a sent field still shows its old value, or a list that Lockstep cleared still shows the rows that the clearing should have
 * removed.
 */
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
 * The instant by which the vendor had applied Lockstep's last write, by the vendor's clock, ISO; null if unknown. If a create had no
 * answer, this is the record's `createdDate` plus `OWN_WORK_MS`.
 */
function doneBy({ readOnly }: VendorObservation, { answeredAt, version }: BasedOn): string | null {
  if (answeredAt !== undefined || version !== null) return answeredAt ?? null;
  const createdMs = Date.parse(String(readOnly['createdDate']));
  return Number.isNaN(createdMs) ? null : new Date(createdMs + OWN_WORK_MS).toISOString();
}

/**
 * The note about earlier vendor updates (`basedOn`) that is used for a base without one: nothing was sent, so there is no earlier version
 * and no earlier value.
 */
const NOTHING_SENT: BasedOn = { version: null, previousValues: {} };

function previousValuesOf({ basedOn = NOTHING_SENT }: Base, field: FieldName): readonly unknown[] {
  return basedOn.previousValues[field] ?? [];
}

/**
 * The base (last agreed values) with this reading's version as the highest version seen, if it is higher. A later reading with a lower
 * version is stale.
 */
export function withReading(base: Base, vendor: VendorObservation | null): Base {
  if (vendor === null) return base;
  const { versionOfOwnWrite: _, ...known } = base;
  const own = isOwnWriteVersion(base, vendor) && vendor.version !== null ? { versionOfOwnWrite: vendor.version } : {};
  return { ...known, highestSeenVersion: laterOf(highestKnownVersion(base), vendor.version), ...own };
}

/**
 * Whether the vendor's version may come from Lockstep's last update: it is later than the version before the update, and not later than the
 * update's answer. Also true if an earlier reading showed that the version is Lockstep's.
 */
export function isOwnWriteVersion({ basedOn, versionOfOwnWrite }: Base, { version }: VendorObservation): boolean {
  if (versionOfOwnWrite !== undefined && version === versionOfOwnWrite) return true;
  return !isNotAfter(version, basedOn?.version ?? null) && isNotAfter(version, basedOn?.answeredAt ?? null);
}
