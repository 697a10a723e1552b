import { withCrmWritesResolved } from '../base/in-doubt-writes.ts';
import { withCreatedLineIds } from '../base/line-pairs.ts';
import { baseAfterMerge, withPickTaken } from '../base/next-base.ts';
import {
  type EchoCheck,
  isOwnWriteVersion,
  recogniseEcho,
  withAwaitingEcho,
  withReading,
} from '../base/recognise-echo.ts';
import { hasUnmappedRevenueType } from '../lines/merge-line.ts';
import { isCutName } from '../mapping/index.ts';
import { merge } from '../merge/merge.ts';
import type { Merge } from '../merge/merge-types.ts';
import type { Changes } from '../merge/newest.ts';
import { withOverruled, withoutOverruled } from '../merge/overruled.ts';
import { type Base, EMPTY_BASE } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import type { FieldDecision } from '../record/field-decision.ts';
import { FIELD_NAMES } from '../record/fields.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import { type CrmObservation, crmVersionOf, type VendorObservation } from '../record/observation.ts';
import { type PickedSide, pickOf } from '../record/pick.ts';
import { isRevenueCode, shownRevenueCodes } from '../values/revenue-type.ts';
import { stillMissing } from './import-gaps.ts';
import type { DecideInput } from './input.ts';
import { clearable, type Known, type Outgoing, outgoingChange } from './outgoing.ts';

/** The comparison of both sides (CRM and vendor) of a linked deal, from which writes are planned. */
export type Reconciliation = {
  readonly input: DecideInput;
  readonly crm: CrmObservation;
  /**
   * The vendor's record as read, without fields that still show a value from before Lockstep's last write. Null if the vendor was not read.
   */
  readonly vendorNews: VendorObservation | null;
  readonly merged: Merge;
  readonly outgoing: Outgoing;
  readonly decisions: readonly FieldDecision[];
  readonly issues: readonly Issue[];
  /** The base (last agreed values) before the merge, in which Lockstep's own writes are already recognised; null on the first sync. */
  readonly baseBefore: Base | null;
  /** The base (last agreed values) after the merge, updated for the fields that need no write. */
  readonly base: Base;
  /** Whether the CRM's sync row (`Lockstep_Sync__c`) shows a user's pick (choice in a conflict) that Lockstep has not applied yet. */
  readonly hasPick: boolean;
  /** Lists that Lockstep clears at the vendor before it sends them, because the vendor keeps removed rows. */
  readonly cleared: readonly FieldName[];
};

/**
 * Compares both sides (CRM and vendor) of a linked deal: separates Lockstep's own writes from users' changes, and merges the changes of
 * both sides. Pure.
 */
export function reconcile(
  input: DecideInput,
  crmId: string,
  crm: CrmObservation,
  vendor: VendorObservation | null,
): Reconciliation {
  const agreed = input.link.base && withCrmShown(input.link.base, crm, input);
  const echo = vendor === null || agreed === null ? null : recogniseEcho(agreed, vendor, input.config);
  const base = echo?.base ?? agreed;
  const vendorNews = echo?.news ?? vendor;
  const known: Known = { input, crmId, base, crm, vendorNews };
  const merged = mergeSides(known);
  const cleared = clearable(known, echo?.retained ?? []);
  const outgoing = outgoingChange(known, merged, cleared);
  const ignoredBySide = stillIgnoredBySide(echo, cleared, merged);
  const { awaitingEcho } = echo ?? agreed ?? EMPTY_BASE;
  const settled = withReading(baseAfterMerge(base, merged, crm, vendorNews), vendorNews);
  const pick = freshPick(known);
  const acknowledged = input.isManual || pick !== null ? withoutOverruled(settled, FIELD_NAMES) : settled;
  const noted = withOverruled(acknowledged, merged.decisions, changesOf(known));
  const after = withoutOverruled(noted, outgoing.withheld);
  return {
    input,
    crm,
    vendorNews,
    merged,
    outgoing,
    decisions: fieldDecisions({ input, crm, vendor, echo, merged, outgoing, cleared, ignoredBySide }),
    issues: [
      ...crm.issues,
      ...outgoing.issues,
      ...merged.issues,
      ...lineIssues(ignoredBySide, unmappedTypes(known, after)),
      ...stillMissing(input.link, crm.graph, after.vendor.customerContacts),
      ...leftOnLead(after),
      ...(isCutName(after.vendor.name, crm.record.name) ? [ISSUES.shortened('name', 'the Opportunity Name')] : []),
    ],
    baseBefore: base && withReading(withAwaitingEcho(base, stillOpen(agreed ?? EMPTY_BASE, awaitingEcho)), vendorNews),
    base: withAwaitingEcho(after, awaitingEcho),
    hasPick: pick !== null,
    cleared,
  };
}

/**
 * The base (last agreed values) after a read of the CRM. The read has shown which unanswered CRM writes were applied, and which ids the CRM
 * gave to lines that Lockstep created.
 */
function withCrmShown(base: Base, crm: CrmObservation, { config }: DecideInput): Base {
  return withCreatedLineIds(withCrmWritesResolved(base, crm, config), crm.record);
}

/**
 * The issue about values that are only on the deal's former lead, because the CRM refused to write them to the opportunity. Empty if there
 * are no such values.
 */
function leftOnLead({ leftOnLead: left }: Base): readonly Issue[] {
  return left === undefined ? [] : [ISSUES.leftOnLead(left.code, left.fields)];
}

function mergeSides(known: Known): Merge {
  const { input, base, crm, vendorNews } = known;
  return merge({
    base,
    crm: crm.record,
    vendor: vendorNews?.record ?? {},
    filledIn: vendorNews?.filledIn,
    untranslatable: new Set(
      crm.issues.filter((issue) => issue.code === 'no-code-for-value').map((issue) => issue.field as FieldName),
    ),
    ...changesOf(known),
    pick: sidePicked(freshPick(known)),
    firstPick: input.link.firstPick,
    config: input.config,
  });
}

/**
 * The base (last agreed values) after a plan that writes all values that a user picked in conflicts. Lockstep's next report to CRM users
 * then clears the pick on the sync row (`Lockstep_Sync__c`).
 */
export function afterPick({ hasPick, merged }: Reconciliation, base: Base): Base {
  return hasPick ? withPickTaken(base, merged.decisions) : base;
}

/**
 * The user's pick (choice in a conflict) on the CRM's sync row (`Lockstep_Sync__c`); null if there is none, or if Lockstep has applied it
 * already.
 */
function freshPick({ base, crm }: Known): ReturnType<typeof pickOf> {
  return base?.pickTaken === true ? null : pickOf(crm.graph);
}

function sidePicked(pick: ReturnType<typeof pickOf>): PickedSide | null {
  return pick === 'unknown' ? null : pick;
}

/**
 * For each side, the interval in which its record was changed since the last agreement, computed from the versions of the record. It shows
 * which side changed later.
 */
function changesOf({ input, base, crm, vendorNews }: Known): Changes {
  return {
    crmChange: { after: base?.crmVersion ?? null, until: crmVersionOf(crm), isOurs: isSavedByUs(crm) },
    vendorChange: {
      after: base?.vendorVersion ?? null,
      until: vendorNews?.version ?? null,
      isOurs: base !== null && vendorNews !== null && isOwnWriteVersion(base, vendorNews),
    },
    ...(input.crmHistory === null ? {} : { crmHistory: input.crmHistory }),
    config: input.config,
  };
}

/**
 * Whether Lockstep's integration user saved the opportunity last. Only the first 15 characters of the user ids are compared, because the
 * 15- and the 18-character form name the same user.
 */
function isSavedByUs({ graph: { opportunity, readBy = null } }: CrmObservation): boolean {
  const last = String(opportunity['LastModifiedById']);
  return readBy !== null && last.slice(0, 15) === readBy.slice(0, 15);
}

/**
 * Issues about fields that the vendor ignored, followed by the given issues about lines (`ofLines`). A field gets no issue of its own if an
 * issue in `ofLines` already explains why the vendor ignored it.
 */
function lineIssues(ignoredBySide: readonly FieldName[], ofLines: readonly Issue[]): readonly Issue[] {
  return [...ignoredBySide.filter((field) => !isOf(ofLines, field)).map(ISSUES.ignoredByVendor), ...ofLines];
}

/**
 * The issue about lines whose CRM revenue type has no code at the vendor, so that the vendor's line keeps another revenue type. Empty if
 * there are no such lines.
 */
function unmappedTypes({ crm, input }: Known, after: Base): readonly Issue[] {
  const shown = shownRevenueCodes(after.vendor.offerLines);
  const hasCode = (type: string): boolean => isRevenueCode(type, input.config, shown);
  return hasUnmappedRevenueType(crm.record, after, hasCode) ? [ISSUES.revenueTypeWithoutCode()] : [];
}

/**
 * Fields whose sent value the vendor ignored and that this plan does not send again. A list in which the vendor kept removed rows counts as
 * ignored. Such a list is left out if the issue `currency-differs` concerns it, because this issue explains to users why Lockstep does not
 * send the list.
 */
function stillIgnoredBySide(echo: EchoCheck | null, cleared: readonly FieldName[], merged: Merge): FieldName[] {
  const differing = merged.issues.filter(({ code }) => code === 'currency-differs');
  const awaitsCurrency = (field: FieldName): boolean => isOf(differing, field);
  const retained = (echo?.retained ?? []).filter((field) => !cleared.includes(field) && !awaitsCurrency(field));
  return [...(echo?.ignoredBySide ?? []), ...retained].filter((field) => merged.toVendor[field] === undefined);
}

function isOf(issues: readonly Issue[], field: FieldName): boolean {
  return issues.some((issue) => issue.field === field);
}

/**
 * Fields on which the two sides may not agree yet: fields whose sent value no read of the vendor has shown yet, and fields that Lockstep
 * did not send when it created the vendor's record. The vendor may have filled in the latter, and the merge must decide about them.
 */
function stillOpen(agreed: Base, awaitingEcho: readonly FieldName[]): readonly FieldName[] {
  const unsent = agreed.awaitingEcho.filter((field) => agreed.vendor[field] === undefined);
  return [...new Set([...awaitingEcho, ...unsent])];
}

type Compared = {
  readonly input: DecideInput;
  readonly crm: CrmObservation;
  /**
   * The vendor's record as read, in which Lockstep's own writes are not yet distinguished from edits of vendor users. Null if the vendor
   * was not read.
   */
  readonly vendor: VendorObservation | null;
  readonly echo: EchoCheck | null;
  readonly merged: Merge;
  readonly outgoing: Outgoing;
  readonly cleared: readonly FieldName[];
  readonly ignoredBySide: readonly FieldName[];
};

/**
 * For the journal (log of decisions): what was decided about each field. Some fields have another verdict than the merge gave them: fields
 * that are held back, and fields that are sent again because the vendor still shows the old value.
 */
function fieldDecisions(compared: Compared): readonly FieldDecision[] {
  const { cleared, echo, ignoredBySide } = compared;
  const merged = compared.merged.decisions
    .filter((item) => !cleared.includes(item.field))
    .map((item) => asSent(compared, item));
  const normalised = (echo?.normalised ?? []).filter((field) => !merged.some((item) => item.field === field));
  return [
    ...merged,
    ...cleared.map((field) => rowOf(compared, field, 'cleared', 'the vendor keeps removed rows')),
    ...normalised.map((field) => rowOf(compared, field, 'same', 'in the form of the vendor')),
    ...ignoredBySide.map((field) => rowOf(compared, field, 'ignored', 'not taken by the vendor')),
  ];
}

function asSent({ outgoing, echo, vendor }: Compared, item: FieldDecision): FieldDecision {
  if (outgoing.withheld.includes(item.field)) return { ...item, verdict: 'withheld', rule: 'not sendable now' };
  if (item.verdict === 'to-vendor' && vendor === null) return { ...item, rule: UNOBSERVED };
  if (item.verdict !== 'to-vendor' || echo?.ignoredBySide.includes(item.field) !== true) return item;
  const previousValues = vendor?.record[item.field];
  return {
    ...item,
    verdict: 'conflict-crm',
    rule: 'over the former value of the vendor',
    vendor: previousValues,
  };
}

const UNOBSERVED = 'changed in the CRM, vendor value unobserved';

function rowOf(
  { input, crm, vendor }: Compared,
  field: FieldName,
  verdict: FieldDecision['verdict'],
  rule: string,
): FieldDecision {
  const agreed = input.link.base ?? EMPTY_BASE;
  const base = { crm: agreed.crm[field], vendor: agreed.vendor[field] };
  return { field, verdict, rule, base, crm: crm.record[field], vendor: vendor?.record[field] };
}
