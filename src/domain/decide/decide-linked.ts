import { afterConversion } from '../base/after-conversion.ts';
import { baseAfterLedgerRestore, isLedgerRestored } from '../base/after-ledger-restore.ts';
import { linkedReading, withStatus } from '../base/linked-reading.ts';
import { baseAfterCrmWrite, baseAfterVendorWrite, withCleared, withVersions } from '../base/next-base.ts';
import { underMapping } from '../base/under-mapping.ts';
import { withLinesOfProducts } from '../lines/lines-with-product.ts';
import { nameCreatedLines } from '../lines/pair-lines.ts';
import { afterCrmWrite, crmWrite, observeCrm, sameValue } from '../mapping/index.ts';
import type { CrmWriteResult } from '../mapping/types.ts';
import { isNormalised } from '../merge/normalised.ts';
import { isOverruling, withoutOverruled } from '../merge/overruled.ts';
import type { Base } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { CrmWrite } from '../record/crm-graph.ts';
import { type FieldDecision, OPEN_VERDICTS, PICKED, TAKEN_BACK, UNDONE_VERDICTS } from '../record/field-decision.ts';
import { formerLeads } from '../record/former-ids.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import { stateOf } from '../record/link-state.ts';
import { type CrmObservation, crmVersionOf, type VendorObservation } from '../record/observation.ts';
import type { CrmUpdate, LookFurther, NothingToWrite, Plan, VendorUpdate } from '../record/plan.ts';
import { referenceKind } from '../record/reference.ts';
import { permits } from './evidence.ts';
import {
  fieldsOf,
  heldLines,
  holdOfWrite,
  issueHolding,
  sentToOpportunity,
  unfitValues,
  withhold,
  withoutHeld,
  withRefusals,
} from './holds.ts';
import type { DecideInput, VendorReading } from './input.ts';
import { afterPick, type Reconciliation, reconcile } from './reconciliation.ts';
import { needsReading } from './vendor-snapshot.ts';
import { lookFurther, parked } from './without-write.ts';

/**
 * Decides about a deal that both sides have: merges the two records, then plans at most one write. A write to the vendor comes before a
 * write to the CRM.
 */
export function decideLinked(
  asked: DecideInput,
  pair: { readonly crmId: string; readonly vendorId: string },
  shown: CrmObservation,
  vendor: VendorReading,
): Plan {
  const base = baseNow(asked, shown, vendor);
  const crm = linkedReading(shown, base, asked.config);
  const input = { ...asked, link: { ...asked.link, base: base && underMapping(base, asked.config) } };
  if (vendor.kind === 'unread') {
    const why = needsReading(asked);
    if (why !== null) return readFirst(input, why);
  } else if (namesAnotherDeal(vendor.observation.reference, pair.crmId, asked)) {
    return parked([ISSUES.referenceOfAnotherDeal()]);
  }
  const observed = vendor.kind === 'observed' ? vendor.observation : null;
  const reconciled = reconcile(input, pair.crmId, crm, observed);
  const { intent } = reconciled.outgoing;
  const changed = observed === null ? (Object.keys(reconciled.merged.toVendor) as FieldName[]) : intent?.fields;
  if (intent !== null && !permits(observed, changed ?? [], input.config)) return readFirst(input, 'changed in the CRM');
  return planOf(reconciled, pair.vendorId);
}

/**
 * The base (last agreed values) with which both sides are compared. Some agreed values are not valid after a restore of the ledger
 * (Lockstep's database) from a backup, or after a conversion of the deal's lead. The base omits them.
 */
function baseNow({ link, config }: DecideInput, crm: CrmObservation, vendor: VendorReading): Base | null {
  const isRead = vendor.kind === 'observed';
  const base =
    isRead && isLedgerRestored(link) ? baseAfterLedgerRestore(link, crm, vendor.observation, config) : link.base;
  const status = isRead ? vendor.observation.record.status : base?.vendor.status;
  return base && afterConversion(base, { crm: crm.record, fields: crm.graph.opportunity, status }, config);
}

function planOf(reconciled: Reconciliation, vendorId: string): Plan {
  const { input, vendorNews, merged } = reconciled;
  const { intent } = reconciled.outgoing;
  // If the vendor would refuse the update again, Lockstep plans the write to the CRM instead.
  const write = intent && { intent, savedAt: crmVersionOf(reconciled.crm) };
  const refused = write !== null && issueHolding(holdOfWrite(write), input) !== undefined;
  if (intent !== null && !refused) return planToVendor(reconciled, vendorId, intent);
  const issues = refused ? withRefusals(reconciled.issues, input.link) : reconciled.issues;
  if (vendorNews === null || Object.keys(merged.toCrm).length === 0)
    return nothing(reconciled, refused ? 'refused before' : 'nothing to write', issues);
  const plan = planToCrm({ ...reconciled, issues }, vendorNews);
  return plan.next === 'write-crm' && issueHolding(holdOfWrite(plan), input) !== undefined
    ? nothing(reconciled, 'refused before', withRefusals(reconciled.issues, input.link))
    : plan;
}

/** Whether the vendor's record names a CRM record that is neither the deal's record nor a lead that the deal was before. */
function namesAnotherDeal(reference: string | null, crmId: string, { link, config }: DecideInput): boolean {
  if (reference === null || reference === crmId || formerLeads(link).includes(reference)) return false;
  return referenceKind(reference, config) === 'ours';
}

function nothing(reconciled: Reconciliation, reason: string, issues: readonly Issue[]): NothingToWrite {
  const { crm, vendorNews, decisions } = reconciled;
  const base = afterPick(reconciled, reconciled.base);
  const open = decisions.filter((item) => OPEN_VERDICTS.has(item.verdict)).map(({ field }) => field);
  return {
    next: 'nothing',
    reason,
    decisions,
    issues,
    stateAfter: stateOf(issues),
    baseAfter: open.length > 0 ? withoutOverruled(base, open) : withVersions(base, crm, vendorNews),
  };
}

function readFirst({ link }: DecideInput, reason: string): LookFurther {
  return lookFurther('read-vendor', reason, 'pending', link.issues);
}

/**
 * The plan of an update at the vendor. If the new value of a field must also be written to the CRM, both sides agree on the field only
 * after the write to the CRM.
 */
function planToVendor(reconciled: Reconciliation, vendorId: string, intent: VendorIntent): VendorUpdate {
  const { crm, vendorNews, merged, issues, cleared, outgoing } = reconciled;
  const shown = vendorNews?.record ?? null;
  const version = vendorNews === null ? reconciled.base.vendorVersion : vendorNews.version;
  const observed = { ...crm, record: withoutHeld(crm.record, outgoing.heldLines) };
  const written = baseAfterVendorWrite(reconciled.base, observed, intent, {
    alsoToCrm: merged.toCrm,
    shown,
    version,
  });
  const isAll = Object.keys(merged.toCrm).length + cleared.length === 0;
  const base = isAll ? afterPick(reconciled, written) : withCleared(written, cleared);
  const sent = intent.fields.filter((field) => merged.toCrm[field] === undefined && !cleared.includes(field));
  return {
    next: 'update-at-vendor',
    reason: intent.fields.length > 0 ? reasonOf(merged.decisions, 'CRM') : 'sends the vendor our reference',
    vendorId,
    intent,
    savedAt: crmVersionOf(crm),
    decisions: reconciled.decisions,
    issues,
    baseBefore: reconciled.baseBefore,
    baseAfter: isOpenBut(reconciled, sent) ? base : withVersions(base, crm, vendorNews),
    // An update that only cleared a list must be followed by an update with the list, so the record stays `pending`.
    stateAfter: cleared.length > 0 ? 'pending' : stateOf(issues),
  };
}

/**
 * The plan of a write to the CRM, without values that the CRM refused or cannot store. If no value remains, the plan has no write
 * (`nothing`).
 */
function planToCrm(whole: Reconciliation, vendor: VendorObservation): CrmUpdate | NothingToWrite {
  const reconciled = withoutHeldLines(whole);
  const { crm, merged } = reconciled;
  const { made, issues: refused } = acceptableWrite(reconciled);
  const issues = distinct([...reconciled.issues, ...refused, ...made.issues]);
  const held = fieldsOf(refused);
  const observed = made.write === null ? crm.record : observedAfter(made.write, reconciled);
  const fieldsToCrm = Object.keys(merged.toCrm) as FieldName[];
  const moved = fieldsToCrm.filter((field) => !held.has(field) && isAgreed(field, reconciled, observed, made));
  const notGiven = fieldsToCrm.filter((field) => !isGiven(field, reconciled, observed, moved));
  const written = withoutOverruled(baseAfter(reconciled, vendor, observed, moved), notGiven);
  const base = afterPick(reconciled, written);
  const decided = {
    reason: reasonOf(
      merged.decisions.filter((item) => !held.has(item.field)),
      'vendor',
    ),
    decisions: reconciled.decisions.map((item) => (held.has(item.field) ? withheldAsRefused(item) : item)),
    issues,
    stateAfter: stateOf(issues),
    baseAfter: isOpenBut(reconciled, moved) ? base : withVersions(base, crm, vendor),
  };
  return made.write === null
    ? { ...decided, next: 'nothing' }
    : { ...decided, next: 'write-crm', write: made.write, baseBefore: reconciled.baseBefore };
}

/** The issues (reasons why a record waits), with only one issue for each message. */
function distinct(issues: readonly Issue[]): readonly Issue[] {
  return [...new Map(issues.map((issue) => [issue.message, issue])).values()];
}

/**
 * For each side whose values are written to the other side: how the journal (log of decisions) explains the write. `won`: the verdict that
 * marks a conflict which this side won. `overruled`: the text if a rule decided such a conflict, so that an edit of the other side lost.
 * `changed`: the text if no rule decided a conflict.
 */
const REASONS = {
  CRM: { won: 'conflict-crm', overruled: 'overruled the vendor', changed: 'changed in the CRM' },
  vendor: { won: 'conflict-vendor', overruled: 'overruled the CRM', changed: 'changed at the vendor' },
} as const;

/**
 * The reason for a write, as text for the journal (log of decisions): an undo, a user's pick (choice in a conflict), an overruled edit of
 * the other side, or a change without a conflict. `side`: the side whose values are written.
 */
function reasonOf(decisions: readonly FieldDecision[], side: keyof typeof REASONS): string {
  const { won, overruled, changed } = REASONS[side];
  if (decisions.some(({ verdict }) => UNDONE_VERDICTS.has(verdict))) return TAKEN_BACK;
  const conflicts = decisions.filter((item) => item.verdict === won);
  if (conflicts.some(({ rule }) => rule === PICKED)) return PICKED;
  return conflicts.some(isOverruling) ? overruled : changed;
}

/**
 * The reconciliation (comparison of both sides) with a note (`heldOffers`) about new lines that the CRM cannot store or has refused. The
 * note contains the offers (vendor's products) of these lines, so that later steps omit the lines.
 */
function withoutHeldLines(reconciled: Reconciliation): Reconciliation {
  const { input, crm, merged } = reconciled;
  const { write } = crmWrite(merged.toCrm, crm.graph, input);
  if (write === null) return reconciled;
  const heldOffers = heldLines(write.lines.create, crmVersionOf(crm), input);
  return { ...reconciled, input: { ...input, heldOffers } };
}

/**
 * The CRM write without values that the CRM cannot store or has refused. If one change of a line was refused, no line changes are written,
 * because all of them count as one value.
 */
function acceptableWrite({ input, crm, merged }: Reconciliation) {
  const make = (values: Observed) => crmWrite(values, crm.graph, input);
  const sent = ({ write }: CrmWriteResult) =>
    write === null ? {} : { ...sentToOpportunity(write.opportunity, input.config), offerLines: write.lines };
  const unfit = ({ write }: CrmWriteResult) => (write === null ? [] : unfitValues(write.opportunity, 'update', input));
  return withhold(merged.toCrm, { side: 'crm', savedAt: crmVersionOf(crm), make, sent, unfit }, input);
}

function withheldAsRefused(item: FieldDecision): FieldDecision {
  return { ...item, verdict: 'withheld', rule: 'not taken by the CRM' };
}

function observedAfter(write: CrmWrite, { crm, input, merged }: Reconciliation): Observed {
  const after = observeCrm(afterCrmWrite(crm.graph, write), input.config);
  return nameCreatedLines(withStatus(after, [merged.toCrm.status], input.config).record);
}

/**
 * Whether both sides agree on a field once the CRM has applied the write. False, for example, for a list of lines that must also be sent to
 * the vendor.
 */
function isAgreed(field: FieldName, reconciled: Reconciliation, observed: Observed, made: CrmWriteResult): boolean {
  const { merged, input } = reconciled;
  if (merged.toVendor[field] !== undefined || observed[field] === undefined) return false;
  if (field === 'offerLines') return true;
  if (made.issues.some((issue) => issue.field === field)) return false;
  if (field === 'status' || isNormalised(field, merged.toCrm[field], observed[field])) return true;
  return sameValue(field, observed[field], merged.toCrm[field], input.config);
}

/**
 * Whether the value that won a conflict in a field reaches the side that lost. True if the value is sent to the vendor. If it is written to
 * the CRM, true only if the CRM will show it. For example, the CRM will not show a closed status if Lockstep may not set the stage of that
 * status.
 */
function isGiven(
  field: FieldName,
  { merged, input }: Reconciliation,
  observed: Observed,
  moved: readonly FieldName[],
): boolean {
  if (merged.toVendor[field] !== undefined) return true;
  if (field === 'status') return sameValue(field, observed[field], merged.toCrm[field], input.config);
  return moved.includes(field);
}

function baseAfter(
  reconciled: Reconciliation,
  vendor: VendorObservation,
  observed: Observed,
  moved: readonly FieldName[],
): Base {
  const { record } = withLinesOfProducts(vendor.record, reconciled.input);
  return baseAfterCrmWrite(reconciled.base, observed, { ...vendor, record }, moved);
}

/** Whether any field other than `fields` still waits for a write or for a person's decision. */
function isOpenBut(reconciled: Reconciliation, fields: readonly FieldName[]): boolean {
  return reconciled.decisions.some((item) => OPEN_VERDICTS.has(item.verdict) && !fields.includes(item.field));
}
