import { sameValue } from '../mapping/index.ts';
import { isEchoOf } from '../merge/normalised.ts';
import { withOverruledOf } from '../merge/overruled.ts';
import type { Base, InDoubtWrites, SentWrite } from '../record/base.ts';
import { EMPTY_BASE } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { CrmGraph } from '../record/crm-graph.ts';
import { TO_CRM_VERDICTS } from '../record/field-decision.ts';
import { FIELD_NAMES, FIELDS } from '../record/fields.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { CrmObservation, VendorObservation } from '../record/observation.ts';
import { crmVersionOf } from '../record/observation.ts';
import type { CrmImport, CrmUpdate, VendorUpdate } from '../record/plan.ts';
import { highestKnownVersion, isNotAfter, laterOf } from '../record/versions.ts';
import { agreedByImport, createdInCrm } from './after-import.ts';
import { goneLines, linesAsMade } from './deleted-lines.ts';
import { isKeyedMerge, keyedMerge } from './keyed-merge.ts';
import { withPairs } from './line-pairs.ts';
import { linkedReading } from './linked-reading.ts';
import { isRetained, retainsRows } from './retained-rows.ts';

/**
 * Writes in doubt: their answers have not come or were lost, so the receiving side may or may not have applied them. Before Lockstep sends
 * a write, it stores the write's values in the base too (beside the last agreed values). The next observation of the receiving side then
 * shows whether a value comes from the write or from a user's edit.
 */

/**
 * The base (last agreed values) while an update at the vendor has no answer yet: it also contains the values that the update sends. `at`:
 * when Lockstep sent the update, ISO.
 */
export function withInDoubtVendorWrite(plan: VendorUpdate, at: string): Base {
  return withVendorWrite(plan.baseBefore ?? EMPTY_BASE, plan, highestKnownVersion(plan.baseAfter), at);
}

/**
 * The base (last agreed values) after an update at the vendor, if another worker decided about the record again and stored a newer plan
 * while the update was on its way. The vendor may apply this update after the newer plan's update. So if a later read shows the update's
 * values, no user has edited them. `at`: when the update's outcome became known, ISO.
 */
export function withLateArrival(base: Base, plan: VendorUpdate, at: string): Base {
  return withVendorWrite(base, plan, highestKnownVersion(base), at);
}

function withVendorWrite(base: Base, plan: VendorUpdate, basedOnVersion: string | null, at: string): Base {
  const sent = [...(base.inDoubtVendorWrites?.sent ?? []), { ...sentToVendor(plan), leftAt: at }];
  return { ...base, inDoubtVendorWrites: { basedOnVersion, sent } };
}

function sentToVendor({ baseAfter, decisions, intent }: VendorUpdate): SentWrite {
  // Lockstep also writes a merged list to the CRM. Both sides agree on the list only after this second write.
  const merged = new Set(decisions.filter((item) => item.verdict === 'merged').map((item) => item.field));
  const fields = intent.fields.filter((field) => !merged.has(field));
  const vendor = { ...baseAfter.vendor, ...intent.record };
  return sentOf({ ...baseAfter, vendor }, fields);
}

/**
 * The base (last agreed values) while a CRM update, or an import (create of a vendor-created deal in the CRM), has no answer yet: it also
 * contains the values that this write sends. `graph`: the CRM rows on which the plan was based; null if unknown.
 */
export function withInDoubtCrmWrite(
  plan: CrmUpdate | CrmImport,
  config: MappingConfig,
  graph: CrmGraph | null = null,
): Base {
  const base = plan.baseBefore ?? EMPTY_BASE;
  const basedOnVersion = plan.next === 'write-crm' ? plan.write.ifUnmodifiedSince : null;
  const before = base.inDoubtCrmWrites?.basedOnVersion === basedOnVersion ? base.inDoubtCrmWrites : undefined;
  const sent = sentToCrm(plan, config);
  const latest = graph === null ? sent : { ...sent, goneLines: goneLines(graph) };
  return { ...base, inDoubtCrmWrites: { ...before, basedOnVersion, sent: [...(before?.sent ?? []), latest] } };
}

/**
 * Whether an import (create of a vendor-created deal in the CRM) was sent, and it is unknown whether it has made the record. `base`: null
 * if the sides have never agreed and nothing was sent.
 */
export function isImportInDoubt(base: Base | null): boolean {
  return base?.inDoubtCrmWrites?.basedOnVersion === null;
}

/**
 * The base (last agreed values) after a reading of a lead has shown that an unanswered import (create of a vendor-created deal in the CRM)
 * made the lead. Null if no import is in doubt, or if the lead shows at most half of the sent values, because a user may then have made the
 * lead.
 */
export function baseOfImportedLead(base: Base | null, lead: CrmObservation, config: MappingConfig): Base | null {
  const writes = base?.inDoubtCrmWrites;
  if (base === null || writes === undefined || !isImportInDoubt(base)) return null;
  const shown = linkedReading(lead, base, config);
  return agreedByImport(writes, shown, config) === undefined ? null : withCrmWritesResolved(base, shown, config);
}

/**
 * The base (last agreed values) after a repeated import (create of a vendor-created deal in the CRM) found the opportunity of an earlier
 * attempt and added missing rows to it. `isSavedAgain` is set, because the repeated import may have saved the opportunity. Its last saver
 * then does not show whether a user has edited it.
 */
export function withImportSavedAgain(base: Base | null): Base | null {
  if (base?.inDoubtCrmWrites?.basedOnVersion !== null) return base;
  return { ...base, inDoubtCrmWrites: { ...base.inDoubtCrmWrites, isSavedAgain: true } };
}

function sentToCrm(plan: CrmUpdate | CrmImport, config: MappingConfig): SentWrite {
  const { baseAfter } = plan;
  if (plan.next === 'create-in-crm') return { crm: createdInCrm(plan, config).record, vendor: baseAfter.vendor };
  const moved = plan.decisions.filter((item) => TO_CRM_VERDICTS.has(item.verdict)).map((item) => item.field);
  return sentOf(baseAfter, moved);
}

function sentOf(after: Base, fields: readonly FieldName[]): SentWrite {
  const { overruled } = withOverruledOf(EMPTY_BASE, after.overruled, fields);
  const sides = { crm: picked(after.crm, fields), vendor: picked(after.vendor, fields) };
  return overruled === undefined ? sides : { ...sides, overruled };
}

/**
 * The base (last agreed values) after a read of the vendor's record has shown which unanswered updates the vendor applied. If the record
 * still has the version from before the updates, the read shows nothing about them. All of them then stay in doubt. Otherwise, an update
 * that the record does not show stays in doubt only if it was sent at most five minutes before the read. After five minutes, it cannot
 * reach the vendor any more and is removed. Pure.
 */
export function withVendorWritesResolved(known: Base, vendor: VendorObservation, config: MappingConfig): Base {
  const { inDoubtVendorWrites, ...base } = known;
  if (inDoubtVendorWrites === undefined || isNotAfter(vendor.version, inDoubtVendorWrites.basedOnVersion)) return known;
  const sent = stillOnTheirWay(inDoubtVendorWrites.sent, known, vendor, config);
  const late = asLateArrivals({
    basedOnVersion: laterOf(inDoubtVendorWrites.basedOnVersion, vendor.version),
    sent,
  });
  const rest = sent.length === 0 ? base : { ...base, inDoubtVendorWrites: late };
  const resolved = settled(rest, inDoubtVendorWrites, 'vendor', vendor.record, config);
  return RETAINABLE.reduce(
    (next, field) => withRetained(next, inDoubtVendorWrites, field, vendor.record, config),
    resolved,
  );
}

/** The unanswered updates, each noted as a late arrival (`isLateArrival`), because the vendor may still apply it after a newer update. */
export function asLateArrivals({ basedOnVersion, sent }: InDoubtWrites): InDoubtWrites {
  return { basedOnVersion, sent: sent.map((one) => ({ ...one, isLateArrival: true })) };
}

/** How long, in ms, an unanswered update may still reach the vendor. No known gateway or queue keeps an abandoned request longer. */
const MOST_ON_ITS_WAY_MS = 300_000;

/**
 * The unanswered updates that the vendor may still apply: the record as read does not prove that they were applied, and they were sent at
 * most five minutes before it was read. The record proves an update if it shows a value that the update changed. But a shown value proves
 * only one update. If two updates sent this value, it proves the one that is tested first, because the other then changed nothing. So the
 * most likely update is tested first: the update with the most shown fields; among equals, the update with the fewest sent fields that the
 * record does not show; then the oldest.
 */
function stillOnTheirWay(
  sent: readonly SentWrite[],
  known: Base,
  vendor: VendorObservation,
  config: MappingConfig,
): readonly SentWrite[] {
  const reading = { base: known, sent, record: vendor.record, config };
  const byEvidence = sent
    .map((one) => ({
      one,
      shown: shownFields(one, known.vendor, reading).length,
      unshown: unshownFields(one, reading),
    }))
    .toSorted((one, other) => other.shown - one.shown || one.unshown - other.unshown);
  let before = known.vendor;
  const confirmed = new Set<SentWrite>();
  for (const { one } of byEvidence) {
    if (shownFields(one, before, reading).length === 0) continue;
    before = { ...before, ...one.vendor };
    confirmed.add(one);
  }
  return sent.filter((one) => !confirmed.has(one) && mayStillCome(one, vendor));
}

function unshownFields(one: SentWrite, reading: Reading): number {
  return FIELD_NAMES.filter((field) => one.vendor[field] !== undefined && shownBy(one, field, reading) === undefined)
    .length;
}

function mayStillCome({ leftAt }: SentWrite, { readAt }: VendorObservation): boolean {
  return leftAt !== undefined && Date.parse(readAt) <= Date.parse(leftAt) + MOST_ON_ITS_WAY_MS;
}

/** The record of one side (CRM or vendor) as read, with the unanswered writes that it may or may not show. */
type Reading = {
  readonly base: Base;
  readonly sent: readonly SentWrite[];
  readonly record: Observed;
  readonly config: MappingConfig;
};

/**
 * The fields that prove that the vendor applied this unanswered update: the update changed them, and the record as read shows the sent
 * values. `before`: the values before the update. A list is also a proof if the vendor shows the sent rows together with rows that the
 * update removed. Such a list proves nothing about a late arrival (an update that the vendor may apply after a newer update).
 */
function shownFields(one: SentWrite, before: Observed, reading: Reading): readonly FieldName[] {
  const { record, config } = reading;
  const { vendor: sent, isLateArrival } = one;
  return FIELD_NAMES.filter(
    (field) =>
      !sameValue(field, before[field], sent[field], config) &&
      (shownBy(one, field, reading) !== undefined ||
        (isLateArrival !== true && retainsRows(field, sent[field], record[field], [before[field]], config))),
  );
}

/**
 * The CRM's value of a field that this unanswered update sent, if the vendor's record shows that the vendor applied the update to the
 * field; otherwise undefined.
 *
 * Special rules hold for a late arrival (an update that the vendor may apply after a newer update). The vendor may merge the list of a late
 * arrival by key into the newer list. If the record shows the result of such a merge, the update counts as applied. The returned value is
 * then the CRM's newer list, into which the CRM's sent list is merged in the same way. A late arrival does not count as applied if the
 * vendor only shows a newer list together with rows that Lockstep removed.
 */
function shownBy(one: SentWrite, field: FieldName, reading: Reading): { readonly crm: unknown } | undefined {
  const { base, sent, record, config } = reading;
  const isLateArrival = one.isLateArrival === true;
  if (isLateArrival && isRetained(field, record[field], base, config)) return undefined;
  if (isEchoOf(field, one.vendor, record, config)) return { crm: one.crm[field] };
  if (!isLateArrival) return undefined;
  const change = (side: Side, before: { readonly [S in Side]: Observed }) => ({
    before: before[side][field],
    sent: one[side][field],
  });
  const before = [base, ...sent].findLast((each) => isKeyedMerge(field, change('vendor', each), record[field], config));
  return before && { crm: keyedMerge(field, change('crm', before)) };
}

type Side = 'crm' | 'vendor';

/**
 * List fields other than lines, in which the vendor may keep rows that Lockstep removed. It keeps them if it merges a sent list with its
 * own list instead of replacing it (undocumented, sales spec 4.2).
 */
const RETAINABLE: readonly FieldName[] = FIELD_NAMES.filter((field) =>
  ['codes', 'customer-contacts', 'partner-contacts'].includes(FIELDS[field].kind),
);

/**
 * The base (last agreed values) after a read of the vendor's record showed the list of an unanswered update together with rows that the
 * update had removed. The update counts as applied to this list, so the sent list becomes the agreed list. The base also notes the previous
 * list, so that the remaining rows do not count as entries of vendor users. The field is added to `awaitingEcho`, because a later read must
 * still show the sent list without the removed rows.
 */
function withRetained(
  base: Base,
  { basedOnVersion, sent }: InDoubtWrites,
  field: FieldName,
  observed: Observed,
  config: MappingConfig,
): Base {
  const before = base.vendor[field];
  const one = sent.findLast(({ vendor, isLateArrival }) => isLateArrival !== true && vendor[field] !== undefined);
  if (one === undefined || before === undefined) return base;
  if (!retainsRows(field, one.vendor[field], observed[field], [before], config)) return base;
  const previousValues = [...(base.basedOn?.previousValues[field] ?? []), before];
  return {
    ...withOverruledOf(base, one.overruled, [field]),
    crm: { ...base.crm, [field]: one.crm[field] },
    vendor: { ...base.vendor, [field]: one.vendor[field] },
    awaitingEcho: [...new Set([...base.awaitingEcho, field])],
    basedOn: {
      version: basedOnVersion,
      ...base.basedOn,
      previousValues: { ...base.basedOn?.previousValues, [field]: previousValues },
    },
  };
}

/**
 * The base (last agreed values) after a read of the CRM showed which CRM writes without an answer were applied. If the opportunity still
 * has the version on which the writes were based, they stay in doubt. Pure.
 */
export function withCrmWritesResolved(known: Base, crm: CrmObservation, config: MappingConfig): Base {
  const { inDoubtCrmWrites, ...base } = known;
  if (
    inDoubtCrmWrites === undefined ||
    (inDoubtCrmWrites.basedOnVersion !== null && inDoubtCrmWrites.basedOnVersion === crmVersionOf(crm))
  )
    return known;
  const imported = inDoubtCrmWrites.basedOnVersion === null ? agreedByImport(inDoubtCrmWrites, crm, config) : undefined;
  if (imported === undefined) {
    const latest = inDoubtCrmWrites.sent.at(-1);
    const record = latest === undefined ? crm.record : linesAsMade(crm, base, latest, config);
    return settled(base, inDoubtCrmWrites, 'crm', record, config);
  }
  return withPairs({ ...base, ...imported }, { ...base, ...imported });
}

/**
 * The base (last agreed values) after the record of one side has shown which unanswered writes to that side were applied. Both sides then
 * agree on each sent value that the record shows.
 */
function settled(base: Base, uncertain: InDoubtWrites, side: Side, observed: Observed, config: MappingConfig): Base {
  const next = { crm: { ...base.crm }, vendor: { ...base.vendor } } as Record<string, Record<string, unknown>>;
  const other = side === 'crm' ? 'vendor' : 'crm';
  let noted = base;
  const reading = { base, sent: uncertain.sent, record: observed, config };
  const echoed = (one: SentWrite, field: FieldName): unknown =>
    isEchoOf(field, one.crm, observed, config) ? one.vendor[field] : undefined;
  const applied = FIELD_NAMES.filter((field) => {
    const shown = (one: SentWrite): unknown =>
      side === 'crm' ? echoed(one, field) : shownBy(one, field, reading)?.crm;
    const sent = uncertain.sent.findLast((one) => shown(one) !== undefined);
    if (sent === undefined) return false;
    Object.assign(next[side] ?? {}, { [field]: observed[field] });
    Object.assign(next[other] ?? {}, { [field]: shown(sent) });
    noted = withOverruledOf(noted, sent.overruled, [field]);
    return true;
  });
  const agreed = {
    ...noted,
    crm: next['crm'] as Observed,
    vendor: next['vendor'] as Observed,
    awaitingEcho: base.awaitingEcho.filter((field) => !applied.includes(field)),
    defaulted: base.defaulted.filter((field) => !applied.includes(field)),
  };
  const lines = uncertain.sent.findLast((one) => isEchoOf('offerLines', one[side], observed, config));
  // The sent lines contain the ids of their CRM lines. If the record shows a sent line, the line keeps this id.
  const asSent = withPairs({ ...base, crm: lines?.crm ?? base.crm, vendor: lines?.vendor ?? base.vendor }, base);
  return withPairs(agreed, asSent);
}

function picked(record: Observed, fields: readonly FieldName[]): Observed {
  return Object.fromEntries(fields.map((field) => [field, record[field]])) as Observed;
}
