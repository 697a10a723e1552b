import { sameValue } from '../mapping/index.ts';
import { isNormalised } from '../merge/normalised.ts';
import type { Base, BasedOn } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { VendorObservation } from '../record/observation.ts';
import { referenceKind } from '../record/reference.ts';
import { highestKnownVersion, isBefore, isNotAfter, laterOf } from '../record/versions.ts';
import { withVendorWritesResolved } from './in-doubt-writes.ts';
import { withPairs } from './line-pairs.ts';
import { retainsRows } from './retained-rows.ts';

/** What a vendor reading says once our own writes are taken out of it. */
export type EchoCheck = {
  /** The base, with what we sent in the form that the vendor gave it. */
  readonly base: Base;
  /** The reading, without the fields of which it is older than what we know. */
  readonly news: VendorObservation;
  /** Fields that we sent and that still wait for a reading which shows them. */
  readonly awaitingEcho: readonly FieldName[];
  /** Fields that a later reading shows as they were before we sent them. */
  readonly ignoredBySide: readonly FieldName[];
  /** Lists in which the vendor retains rows that we had removed. */
  readonly retained: readonly FieldName[];
  /** Fields that the vendor shows in a normalised form. */
  readonly normalised: readonly FieldName[];
};

/**
 * Tells our own writes in a vendor reading from edits of the vendor's users. A reading may be late: one of a version
 * before the base's says nothing, and one of the version that our last write rested on says nothing of the fields
 * sent. A field that a record which nobody has modified since our write still shows as it was before was not taken, and is
 * not sent again until its CRM value changes; in one that was modified since, somebody set it back. Pure.
 */
export function recogniseEcho(known: Base, vendor: VendorObservation, config: MappingConfig): EchoCheck {
  if (isBefore(vendor.version, highestKnownVersion(known))) return nothingNew(known, vendor);
  const base = withVendorWritesResolved(known, vendor, config);
  const basis = base.basedOn ?? NOTHING_SENT;
  const late = vendor.version !== null && vendor.version === basis.version;
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
    if (observed === undefined || late) {
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
  const next = withPairs(
    withIgnoredBySide({ ...base, vendor: agreed as Observed }, lists.ignoredBySide),
    base,
  );
  return { base: withReference(next, vendor), news: { ...vendor, record: record as Observed }, ...lists };
}

/** The base with fewer fields that await their echo. */
export function withAwaitingEcho(base: Base, awaitingEcho: readonly FieldName[]): Base {
  const { basedOn, ...rest } = base;
  if (basedOn === undefined || awaitingEcho.length === 0) return { ...rest, awaitingEcho };
  const { cleared, ...basis } = basedOn;
  const still = cleared?.filter((field) => awaitingEcho.includes(field)) ?? [];
  return { ...rest, awaitingEcho, basedOn: still.length === 0 ? basis : { ...basis, cleared: still } };
}

/** Whether the vendor has yet to be told our reference; it is sent alone only once. */
export function lacksReference(base: Base | null, vendor: VendorObservation): boolean {
  return referenceKind(vendor.reference) === 'none' && base?.referenceSent !== true;
}

/** A reading that shows an update as if it were applied, so that the CRM's half of a merge can follow without another read. */
export function optimistic(
  vendor: VendorObservation,
  { body, fields, record }: VendorIntent,
): VendorObservation {
  const core = body['leadOpportunity'] as { readonly partnerLeadOpportunityId?: string } | undefined;
  return {
    ...vendor,
    record: { ...vendor.record, ...record },
    reference: core?.partnerLeadOpportunityId ?? vendor.reference,
    optimistic: [...new Set([...(vendor.optimistic ?? []), ...fields])],
  };
}

function withReference(base: Base, vendor: VendorObservation): Base {
  if (referenceKind(vendor.reference) === 'none') return base;
  const { referenceSent: _, ...rest } = base;
  return rest;
}

function nothingNew(base: Base, vendor: VendorObservation): EchoCheck {
  const news = { ...vendor, record: {}, version: highestKnownVersion(base) };
  return { base, news, awaitingEcho: base.awaitingEcho, ignoredBySide: [], retained: [], normalised: [] };
}

/** Whether a list that we sent shows rows beside it that we had removed. */
function retains(field: FieldName, observed: unknown, base: Base, config: MappingConfig): boolean {
  return retainsRows(field, base.vendor[field], observed, previousValuesOf(base, field), config);
}

/** Whether a field that we sent shows what stood there before: all of it, or rows of a list that clearing it has not removed. */
function isAsBefore(field: FieldName, observed: unknown, base: Base, config: MappingConfig): boolean {
  const isFormer = previousValuesOf(base, field).some((value) => sameValue(field, observed, value, config));
  return isFormer || retains(field, observed, base, config);
}

function withIgnoredBySide(base: Base, ignoredBySide: readonly FieldName[]): Base {
  if (base.basedOn === undefined) return base;
  const { ignoredBySide: _, ...basedOn } = base.basedOn;
  return { ...base, basedOn: ignoredBySide.length === 0 ? basedOn : { ...basedOn, ignoredBySide } };
}

/** Whether somebody gave a field its former value after our write, as the vendor's clock tells. */
function isSetBack(field: FieldName, vendor: VendorObservation, basis: BasedOn): boolean {
  return !basis.ignoredBySide?.includes(field) && isBefore(doneBy(vendor, basis), vendor.version);
}

/** What the vendor may do to a new record by itself, it has done by then. */
const OWN_WORK_MS = 2_000;

/** By when our write was done; of a create whose answer was lost the record itself tells. Null where nothing does. */
function doneBy({ readOnly }: VendorObservation, { answeredAt, version }: BasedOn): string | null {
  if (answeredAt !== undefined || version !== null) return answeredAt ?? null;
  const createdMs = Date.parse(String(readOnly['createdDate']));
  return Number.isNaN(createdMs) ? null : new Date(createdMs + OWN_WORK_MS).toISOString();
}

/** A base that awaits an echo of nothing that is known to have left. */
const NOTHING_SENT: BasedOn = { version: null, previousValues: {} };

function previousValuesOf({ basedOn = NOTHING_SENT }: Base, field: FieldName): readonly unknown[] {
  return basedOn.previousValues[field] ?? [];
}

/** The base with a reading noted as seen: none before it says anything from now on. */
export function withReading(base: Base, vendor: VendorObservation | null): Base {
  if (vendor === null) return base;
  const { versionOfOwnWrite: _, ...known } = base;
  const own =
    isOwnWriteVersion(base, vendor) && vendor.version !== null ? { versionOfOwnWrite: vendor.version } : {};
  return { ...known, highestSeenVersion: laterOf(highestKnownVersion(base), vendor.version), ...own };
}

/**
 * Whether the vendor's stamp may be that of our last update: later than what that rested on, and not later than its answer; or one that
 * an earlier reading has told to be.
 */
export function isOwnWriteVersion(
  { basedOn, versionOfOwnWrite }: Base,
  { version }: VendorObservation,
): boolean {
  if (versionOfOwnWrite !== undefined && version === versionOfOwnWrite) return true;
  return !isNotAfter(version, basedOn?.version ?? null) && isNotAfter(version, basedOn?.answeredAt ?? null);
}
