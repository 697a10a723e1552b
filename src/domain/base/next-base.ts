import { linesOf } from '../lines/match-lines.ts';
import { partlyAppliedLines } from '../lines/merge-line.ts';
import { agreedLine } from '../lines/merge-lines.ts';
import { unsetOf } from '../mapping/index.ts';
import type { Merge } from '../merge/merge-types.ts';
import type { Base, BasedOn, GoingBack, HeldConflict, LinePair } from '../record/base.ts';
import { EMPTY_BASE } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import {
  type FieldDecision,
  OPEN_VERDICTS,
  PICKED,
  TO_VENDOR_ONLY,
  UNDONE_VERDICTS,
} from '../record/field-decision.ts';
import { FIELD_NAMES } from '../record/fields.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { CrmObservation, VendorObservation } from '../record/observation.ts';
import { crmVersionOf } from '../record/observation.ts';
import type { PickedSide } from '../record/pick.ts';
import { asLateArrivals } from './in-doubt-writes.ts';
import { withoutPartlyApplied, withPairs } from './line-pairs.ts';

/**
 * The base (last agreed values) after Lockstep created a record at the vendor. Every field must still be read back, because the vendor may
 * have filled in fields that were not sent. A CRM value that could not be sent counts as not agreed, so that a later update sends it.
 */
export function baseAfterCreate(crm: CrmObservation, intent: VendorIntent, linePairs: readonly LinePair[]): Base {
  const agreed: Record<string, unknown> = {};
  for (const field of FIELD_NAMES) {
    const value = crm.record[field];
    if (value === undefined) continue;
    agreed[field] = intent.fields.includes(field) ? value : unsetOf(field);
  }
  return {
    crm: agreed as Observed,
    vendor: intent.record,
    defaulted: [],
    awaitingEcho: FIELD_NAMES,
    // A new vendor record had no values before its create. If the record still shows a field unset, the vendor ignored
    // the sent value.
    basedOn: {
      version: null,
      previousValues: Object.fromEntries(intent.fields.map((field) => [field, [unsetOf(field)]])),
    },
    linePairs,
    crmVersion: crmVersionOf(crm),
    vendorVersion: null,
  };
}

/**
 * The base (last agreed values) after a merge, updated for the fields that need no write: unchanged, equal and ignored fields, and values
 * that the vendor filled in.
 */
export function baseAfterMerge(
  before: Base | null,
  merge: Merge,
  crm: CrmObservation,
  vendor: VendorObservation | null,
): Base {
  const verdicts = new Map(merge.decisions.map((item) => [item.field, item.verdict]));
  const nextCrm: Record<string, unknown> = { ...before?.crm };
  const nextVendor: Record<string, unknown> = { ...before?.vendor };
  const defaulted = new Set(before && stillDefaulted(before, merge));
  for (const field of FIELD_NAMES) {
    const verdict = verdicts.get(field) ?? 'unchanged';
    if (OPEN_VERDICTS.has(verdict)) {
      // The base remembers the vendor's default even if the CRM's value cannot be sent yet.
      if (merge.overDefaults.includes(field)) nextVendor[field] = vendor?.record[field];
      continue;
    }
    if (verdict === 'defaulted') defaulted.add(field);
    if (crm.record[field] !== undefined) nextCrm[field] = crm.record[field];
    if (vendor?.record[field] !== undefined) nextVendor[field] = vendor.record[field];
  }
  const areLinesOpen = OPEN_VERDICTS.has(verdicts.get('offerLines') ?? 'unchanged');
  const {
    held: _,
    goingBack = {},
    ancestorUnknown = [],
    ...known
  } = (areLinesOpen ? before : withoutPartlyApplied(before)) ?? EMPTY_BASE;
  const stillUnknown = ancestorUnknown.filter((field) => OPEN_VERDICTS.has(verdicts.get(field) ?? 'unchanged'));
  const held = { ...heldOf(merge.decisions), ...pickedOf(before?.held ?? {}, merge.decisions) };
  const next = {
    ...known,
    ...(Object.keys(held).length === 0 ? {} : { held }),
    ...stillGoingBack(goingBack, (field) => UNDONE_VERDICTS.has(verdicts.get(field) ?? 'unchanged')),
    ...(stillUnknown.length === 0 ? {} : { ancestorUnknown: stillUnknown }),
    crm: nextCrm as Observed,
    vendor: nextVendor as Observed,
    defaulted: [...defaulted],
  };
  return withPairs(next, before);
}

/**
 * The fields whose vendor value still counts as the vendor's default after a merge. Lockstep does not copy a default to an empty CRM field.
 * If a vendor user edits a field that is synced only to the vendor, its value does not count as a default any more. The field may later be
 * synced to the CRM too, for example after a conversion of the lead. The edited value then reaches the CRM.
 */
export function stillDefaulted({ defaulted }: Base, { decisions }: Pick<Merge, 'decisions'>): readonly FieldName[] {
  const edited = decisions.filter(({ rule }) => rule === TO_VENDOR_ONLY).map(({ field }) => field);
  return defaulted.filter((field) => !edited.includes(field));
}

/** The values that an undo must still restore, as the property `goingBack` of a base; empty if there are none. */
function stillGoingBack(
  goingBack: NonNullable<Base['goingBack']>,
  isLeft: (field: FieldName, back: GoingBack) => boolean,
): Pick<Base, 'goingBack'> {
  const left = Object.entries(goingBack).filter(([field, back]) => isLeft(field as FieldName, back));
  return left.length === 0 ? {} : { goingBack: Object.fromEntries(left) };
}

/**
 * The base (last agreed values) after an undo restored the values of these fields on one side (CRM or vendor). These values are removed
 * from `goingBack`.
 */
function afterGoingBack(base: Base, side: 'crm' | 'vendor', fields: readonly FieldName[]): Base {
  const { goingBack, ...rest } = base;
  if (goingBack === undefined) return base;
  const next = Object.entries(goingBack).map(([field, back]): [string, GoingBack] => {
    const { [side]: _, ...other } = back;
    return [field, fields.includes(field as FieldName) ? other : back];
  });
  const left = Object.fromEntries(next) as NonNullable<Base['goingBack']>;
  return { ...rest, ...stillGoingBack(left, (_, back) => Object.keys(back).length > 0) };
}

type Held = NonNullable<Base['held']>;

function heldOf(decisions: readonly FieldDecision[]): Held {
  const held = decisions.filter((item) => item.verdict === 'conflict-held');
  return Object.fromEntries(held.map(({ field, crm, vendor }) => [field, { crm, vendor }]));
}

/**
 * The base (last agreed values) without users' picks (the sides that they chose in conflicts) for fields that are written now. A later
 * conflict in such a field needs a new pick.
 */
function withoutPicksOf(base: Base, fields: readonly FieldName[]): Base {
  const { held, ...rest } = base;
  if (held === undefined) return base;
  const isDone = (field: string, { picked }: HeldConflict): boolean =>
    picked !== undefined && fields.includes(field as FieldName);
  const left = Object.entries(held).filter(([field, pick]) => !isDone(field, pick));
  return left.length === 0 ? rest : { ...rest, held: Object.fromEntries(left) };
}

/** The conflicts in which a user has picked a side. They stay in the base (last agreed values) until the picked value is written. */
function pickedOf(held: Held, decisions: readonly FieldDecision[]): Held {
  const picked = new Set<string>(decisions.filter(({ rule }) => rule === PICKED).map(({ field }) => field));
  return Object.fromEntries(Object.entries(held).filter(([field]) => picked.has(field)));
}

/**
 * The base (last agreed values) after the values that a user picked in conflicts have been written. It contains `pickTaken`, so that the
 * next report to the sync row (`Lockstep_Sync__c`) clears the user's pick.
 */
export function withPickTaken(base: Base, decisions: readonly FieldDecision[]): Base {
  const { held: _, ...rest } = base;
  const held = heldOf(decisions);
  return { ...rest, ...(Object.keys(held).length === 0 ? {} : { held }), pickTaken: true };
}

/**
 * The base (last agreed values) with a user's pick (chosen side) for one field, which the next decision applies. Null if no conflict in the
 * field waits.
 */
export function withPick(base: Base | null, field: FieldName, picked: PickedSide): Base | null {
  const pick = base?.held?.[field];
  if (base === null || pick === undefined) return null;
  return { ...base, held: { ...base.held, [field]: { ...pick, picked } } };
}

/**
 * The base (last agreed values), in which the versions of the two records as read replace the earlier versions. A newer version in a later
 * read shows that the record was saved since. Call this only if no edit waits in any field, because the age of a waiting edit is computed
 * from the earlier versions.
 */
export function withVersions(base: Base, crm: CrmObservation, vendor: VendorObservation | null): Base {
  const { versionOfOwnWrite: _, ...known } = base;
  return {
    ...known,
    crmVersion: crmVersionOf(crm),
    vendorVersion: vendor?.version ?? base.vendorVersion,
  };
}

/**
 * The base (last agreed values) after an update that first clears lists at the vendor. For these lists the base has no rows of the CRM, so
 * the CRM's rows count as new and the next update sends them.
 */
export function withCleared(base: Base, fields: readonly FieldName[]): Base {
  const { basedOn } = base;
  if (fields.length === 0 || basedOn === undefined) return base;
  const crm = { ...base.crm, ...Object.fromEntries(fields.map((field) => [field, []])) };
  const cleared = [...new Set([...(basedOn.cleared ?? []), ...fields])];
  return withPairs({ ...base, crm, basedOn: { ...basedOn, cleared } }, base);
}

/**
 * Facts about an update that was sent to the vendor. `alsoToCrm`: values that must be written to the CRM too. `shown`, `version`: the
 * vendor's values and version before the update; null if unknown.
 */
type Sent = {
  readonly alsoToCrm: Observed;
  readonly shown: Observed | null;
  readonly version: string | null;
};

/**
 * The base (last agreed values) after the vendor has applied an update. `intent`: the fields and values of the update. Both sides now agree
 * on these fields, but a read must still show each of them at the vendor. A field that must also be written to the CRM keeps its earlier
 * agreed value.
 */
export function baseAfterVendorWrite(base: Base, crm: CrmObservation, intent: VendorIntent, sent: Sent): Base {
  const nextCrm: Record<string, unknown> = { ...base.crm };
  const nextVendor: Record<string, unknown> = { ...base.vendor };
  const previousValues: Record<string, readonly unknown[]> = {};
  for (const field of base.awaitingEcho) previousValues[field] = base.basedOn?.previousValues[field] ?? [];
  // A field that must also be written to the CRM keeps its old value in the base. So if the work is interrupted, the
  // next attempt finds the edits of both sides again.
  const fields = intent.fields.filter((field) => sent.alsoToCrm[field] === undefined);
  for (const field of fields) {
    if (crm.record[field] !== undefined) nextCrm[field] = crm.record[field];
    if (intent.record[field] !== undefined) nextVendor[field] = intent.record[field];
    const uncertain = base.inDoubtVendorWrites?.sent.map((one) => one.vendor[field]) ?? [];
    const before = [base.vendor[field] ?? unsetOf(field), sent.shown?.[field], ...uncertain];
    previousValues[field] = [...(previousValues[field] ?? []), ...before];
  }
  const next = {
    ...base,
    ...(base.inDoubtVendorWrites === undefined
      ? {}
      : { inDoubtVendorWrites: asLateArrivals(base.inDoubtVendorWrites) }),
    crm: nextCrm as Observed,
    vendor: nextVendor as Observed,
    defaulted: base.defaulted.filter((field) => !intent.fields.includes(field)),
    awaitingEcho: [...new Set([...base.awaitingEcho, ...fields])],
    basedOn: { ...sentBefore(base, fields), version: sent.version, previousValues: distinct(previousValues) },
    referenceSent: true,
  };
  const paired = afterGoingBack(withoutPicksOf(withPairs(next, base), fields), 'vendor', fields);
  return intent.fields.includes('offerLines') ? withPartlyApplied(paired, crm, intent, sent) : paired;
}

/**
 * The base (last agreed values) after the vendor has applied a merge of lines that the CRM has not applied yet. `partlyAppliedLines` stores
 * the lines on which both sides agree after this first half of the merge.
 */
function withPartlyApplied(base: Base, crm: CrmObservation, intent: VendorIntent, { alsoToCrm, version }: Sent): Base {
  const { partlyAppliedLines: _, ...rest } = base;
  if (alsoToCrm.offerLines === undefined) return rest;
  const agreed = { basePairs: base.linePairs, baseCrm: linesOf(base.crm), baseVendor: linesOf(base.vendor) };
  const halves = { crm: linesOf(crm.record), forCrm: linesOf(alsoToCrm), forVendor: linesOf(intent.record) };
  const lines = partlyAppliedLines(halves, (id) => agreedLine(id, agreed));
  return lines.length === 0 ? rest : { ...rest, partlyAppliedLines: { basedOnVersion: version, lines } };
}

/**
 * The base (last agreed values) after the CRM applied a write of these fields. Lockstep may have just sent some of these fields to the
 * vendor in an update. Each of these must still be read back at the vendor, because no read has shown yet that the vendor applied it.
 */
export function baseAfterCrmWrite(
  base: Base,
  observed: Observed,
  vendor: VendorObservation,
  fields: readonly FieldName[],
): Base {
  const nextCrm: Record<string, unknown> = { ...base.crm };
  const nextVendor: Record<string, unknown> = { ...base.vendor };
  for (const field of fields) {
    if (observed[field] !== undefined) nextCrm[field] = observed[field];
    if (vendor.record[field] !== undefined) nextVendor[field] = vendor.record[field];
  }
  const both = { crm: nextCrm as Observed, vendor: nextVendor as Observed };
  const known = fields.includes('offerLines') ? withoutPartlyApplied(base) : base;
  const defaulted = base.defaulted.filter((field) => !fields.includes(field));
  const written = withoutPicksOf(withPairs({ ...known, ...both, defaulted }, base), fields);
  const next = afterGoingBack(written, 'crm', fields);
  const sent = fields.filter((field) => vendor.optimistic?.includes(field));
  if (sent.length === 0) return next;
  const previousValues: Record<string, readonly unknown[]> = { ...base.basedOn?.previousValues };
  for (const field of sent) previousValues[field] = [...(previousValues[field] ?? []), base.vendor[field]];
  return {
    ...next,
    awaitingEcho: [...new Set([...base.awaitingEcho, ...sent])],
    basedOn: { ...base.basedOn, version: vendor.version, previousValues: distinct(previousValues) },
  };
}

/**
 * The base's notes about earlier updates at the vendor (`basedOn`), without the parts that a new update of these fields makes obsolete: the
 * time of the last answer, and which of these fields the vendor ignored.
 */
function sentBefore({ basedOn }: Base, fields: readonly FieldName[]): Partial<BasedOn> {
  if (basedOn === undefined) return {};
  const { answeredAt, ignoredBySide, ...before } = basedOn;
  const still = ignoredBySide?.filter((field) => !fields.includes(field)) ?? [];
  return { ...before, ...(still.length === 0 ? {} : { ignoredBySide: still }) };
}

/**
 * The base (last agreed values) after the vendor answered an update. It stores the time of the answer (`answeredAt`, ISO, by the vendor's
 * clock). Later reads need this time to distinguish Lockstep's own update from edits of vendor users. If the answer has no time (null), the
 * base stays unchanged.
 */
export function withAnswer(base: Base, answeredAt: string | null): Base {
  if (base.basedOn === undefined || answeredAt === null) return base;
  return { ...base, basedOn: { ...base.basedOn, answeredAt } };
}

function distinct(previousValues: Readonly<Record<string, readonly unknown[]>>): BasedOn['previousValues'] {
  const cells = Object.entries(previousValues).map(([field, values]) => {
    const known = values.filter((value) => value !== undefined);
    return [field, [...new Map(known.map((value) => [JSON.stringify(value), value])).values()]];
  });
  return Object.fromEntries(cells);
}
