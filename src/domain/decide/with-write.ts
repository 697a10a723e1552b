import { baseAfterCrmWrite, baseAfterVendorWrite, withCleared, withVersions } from '../base/next-base.ts';
import { nameCreatedLines } from '../lines/created-lines.ts';
import { withLinesOfProducts } from '../lines/lines-with-product.ts';
import { afterCrmWrite, crmWrite, observeCrm, sameValue } from '../mapping/index.ts';
import type { CrmWriteResult } from '../mapping/types.ts';
import { isNormalised } from '../merge/normalised.ts';
import { isOverruling, withoutOverruled } from '../merge/overruled.ts';
import type { Base } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { CrmWrite } from '../record/crm-graph.ts';
import { type FieldDecision, OPEN_VERDICTS, PICKED } from '../record/field-decision.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { Issue } from '../record/issue.ts';
import { stateOf } from '../record/link-state.ts';
import { crmVersionOf, type VendorObservation } from '../record/observation.ts';
import type { CrmUpdate, NothingToWrite, VendorUpdate } from '../record/plan.ts';
import { heldLines, withoutLines } from './held-lines.ts';
import { withoutHeld } from './held-vendor-lines.ts';
import { afterPick, type Reconciliation } from './reconciliation.ts';
import { unfitValues } from './unfit-values.ts';
import { fieldsOf, refusedBefore, sentToOpportunity, without } from './withheld-values.ts';

/** The plan of an update at the vendor. What also has to go to the CRM stays open until it is there. */
export function planToVendor(
  reconciled: Reconciliation,
  vendorId: string,
  intent: VendorIntent,
): VendorUpdate {
  const { crm, vendorNews, merged, issues, cleared, outgoing } = reconciled;
  const shown = vendorNews?.record ?? null;
  const version = vendorNews === null ? reconciled.base.vendorVersion : vendorNews.version;
  const shownCrm = { ...crm, record: withoutHeld(crm.record, outgoing.heldLines) };
  const written = baseAfterVendorWrite(reconciled.base, shownCrm, intent, {
    alsoToCrm: merged.toCrm,
    shown,
    version,
  });
  const isAll = Object.keys(merged.toCrm).length + cleared.length === 0;
  const base = isAll ? afterPick(reconciled, written) : withCleared(written, cleared);
  const sent = intent.fields.filter((field) => merged.toCrm[field] === undefined && !cleared.includes(field));
  return {
    next: 'update-at-vendor',
    reason: intent.fields.length > 0 ? reasonOf(merged.decisions, 'CRM') : 'tells the vendor our reference',
    vendorId,
    intent,
    savedAt: crmVersionOf(crm),
    decisions: reconciled.decisions,
    issues,
    baseBefore: reconciled.baseBefore,
    baseAfter: isOpenBut(reconciled, sent) ? base : withVersions(base, crm, vendorNews),
    // A list that is only cleared is not done.
    stateAfter: cleared.length > 0 ? 'pending' : stateOf(issues),
  };
}

/** The plan of a write to the CRM, or none where the CRM cannot be given any of it. */
export function planToCrm(whole: Reconciliation, vendor: VendorObservation): CrmUpdate | NothingToWrite {
  const reconciled = withoutHeldLines(whole);
  const { crm, merged } = reconciled;
  const { made, refused } = acceptableWrite(reconciled);
  const issues = [...reconciled.issues, ...refused, ...made.issues];
  const held = fieldsOf(refused);
  const observed = made.write === null ? crm.record : observedAfter(made.write, reconciled);
  const fieldsToCrm = Object.keys(merged.toCrm) as FieldName[];
  const moved = fieldsToCrm.filter(
    (field) => !held.has(field) && isAgreed(field, reconciled, observed, made),
  );
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

/** By the side whose values a write carries: the verdict of a conflict that it won, and the journal's words. */
const REASONS = {
  CRM: { won: 'conflict-crm', overruled: 'overruled the vendor', changed: 'changed in the CRM' },
  vendor: { won: 'conflict-vendor', overruled: 'overruled the CRM', changed: 'changed at the vendor' },
} as const;

/** The journal's word for a write: where a rule let the other side's edit go under, that is what it is about. */
function reasonOf(decisions: readonly FieldDecision[], side: keyof typeof REASONS): string {
  const { won, overruled, changed } = REASONS[side];
  const conflicts = decisions.filter((item) => item.verdict === won);
  if (conflicts.some(({ rule }) => rule === PICKED)) return PICKED;
  return conflicts.some(isOverruling) ? overruled : changed;
}

/** The same without the new lines that the CRM cannot hold, as far as it says, or has refused by themselves. */
function withoutHeldLines(reconciled: Reconciliation): Reconciliation {
  const { input, crm, merged } = reconciled;
  const { write } = crmWrite(merged.toCrm, crm.graph, input);
  if (write === null) return reconciled;
  const held = heldLines(write.lines.create, crmVersionOf(crm), input);
  return { ...reconciled, input: withoutLines(input, held) };
}

/** The write of what the CRM can hold, as far as it says, and has not refused by itself. */
function acceptableWrite({ input, crm, merged }: Reconciliation): {
  readonly made: CrmWriteResult;
  readonly refused: readonly Issue[];
} {
  const made = crmWrite(merged.toCrm, crm.graph, input);
  if (made.write === null) return { made, refused: [] };
  const { opportunity, lines } = made.write;
  // All changes of lines are one value.
  const sent = { ...sentToOpportunity(opportunity, input.config), offerLines: lines };
  const refused = [
    ...unfitValues(opportunity, 'update', input),
    ...refusedBefore('crm-refused', sent, crmVersionOf(crm), input),
  ];
  return { made: crmWrite(without(merged.toCrm, refused), crm.graph, input), refused };
}

function withheldAsRefused(item: FieldDecision): FieldDecision {
  return { ...item, verdict: 'withheld', rule: 'not taken by the CRM' };
}

function observedAfter(write: CrmWrite, { crm, input }: Reconciliation): Observed {
  return nameCreatedLines(observeCrm(afterCrmWrite(crm.graph, write), input.config).record);
}

/**
 * Whether the CRM then says what the vendor says, or by rule keeps its own. What it cannot be given stays open; so
 * does a list whose other half still has to go to the vendor.
 */
function isAgreed(
  field: FieldName,
  reconciled: Reconciliation,
  observed: Observed,
  made: CrmWriteResult,
): boolean {
  const { merged, input } = reconciled;
  if (merged.toVendor[field] !== undefined || observed[field] === undefined) return false;
  if (field === 'offerLines') return true;
  if (made.issues.some((issue) => issue.field === field)) return false;
  if (field === 'status' || isNormalised(field, merged.toCrm[field], observed[field])) return true;
  return sameValue(field, observed[field], merged.toCrm[field], input.config);
}

/** Whether the CRM takes what won: a stage that may not follow the vendor's status leaves the CRM's where it is. */
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
  const { record } = withLinesOfProducts(vendor.record, reconciled.input.unknownOffers);
  return baseAfterCrmWrite(reconciled.base, observed, { ...vendor, record }, moved);
}

/** Whether a field other than these stays open. */
function isOpenBut(reconciled: Reconciliation, fields: readonly FieldName[]): boolean {
  return reconciled.decisions.some((item) => OPEN_VERDICTS.has(item.verdict) && !fields.includes(item.field));
}
