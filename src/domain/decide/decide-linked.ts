import { baseAfterLedgerRestore, isLedgerRestored } from '../base/after-ledger-restore.ts';
import { withVersions } from '../base/next-base.ts';
import { movedFields, underMapping } from '../base/under-mapping.ts';
import { lensOf } from '../mapping/index.ts';
import { withoutOverruled } from '../merge/overruled.ts';
import type { Base } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import { OPEN_VERDICTS } from '../record/field-decision.ts';
import { type Issue, isOpen } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import { stateOf } from '../record/link-state.ts';
import { type MappingConfig, ruleOf } from '../record/mapping-config.ts';
import { type CrmObservation, crmVersionOf, type VendorObservation } from '../record/observation.ts';
import type { LookFurther, NothingToWrite, Plan } from '../record/plan.ts';
import { referenceKind } from '../record/reference.ts';
import type { DecideInput, VendorReading } from './input.ts';
import { mayWriteUnread } from './outgoing.ts';
import { afterPick, type Reconciliation, reconcile } from './reconciliation.ts';
import { isRefused, vendorWritePayload, withRefusals } from './refusals.ts';
import { planToCrm, planToVendor } from './with-write.ts';
import { lookFurther, parked } from './without-write.ts';

/** A deal that both sides have: merge, then at most one write; the vendor's first. */
export function decideLinked(
  asked: DecideInput,
  pair: { readonly crmId: string; readonly vendorId: string },
  crm: CrmObservation,
  vendor: VendorReading,
): Plan {
  const base = baseNow(asked, crm, vendor);
  const input = { ...asked, link: { ...asked.link, base: base && underMapping(base, asked.config) } };
  if (vendor.kind === 'unread') {
    const why = needsReading(asked);
    if (why !== null) return readFirst(input, why);
  } else if (namesAnotherDeal(vendor.observation.reference, pair.crmId)) {
    return parked([ISSUES.referenceOfAnotherDeal()]);
  }
  const observed = vendor.kind === 'observed' ? vendor.observation : null;
  const reconciled = reconcile(input, pair.crmId, crm, observed);
  if (restsOnNothingNew(reconciled, observed)) return readFirst(input, 'changed in the CRM');
  return planOf(reconciled, pair.vendorId);
}

/**
 * What is sent whole, a list or the company, is merged into a reading of its own that no write of ours has followed: what a vendor's
 * user entered beside that write, or since what a search could tell of, would be lost otherwise (the vendor has no ETags). What our
 * own write has left there is known. So is a field that a person decides where both sides changed it, and the status: no open one goes over
 * a closed one without a person, and no rule chooses for one.
 */
function restsOnNothingNew(
  { outgoing, vendorNews, merged, input }: Reconciliation,
  observed: VendorObservation | null,
): boolean {
  if (outgoing.intent === null || mayWriteUnread(merged, input.config)) return false;
  if (vendorNews === null) return true;
  const { fields } = outgoing.intent;
  const whole = fields.filter((field) => !lensOf(field).scalar);
  if (observed?.source !== undefined)
    return whole.length > 0 || fields.some((field) => isForPersons(field, input.config));
  const optimistic = observed?.optimistic;
  return optimistic !== undefined && whole.some((field) => !optimistic.includes(field));
}

function isForPersons(field: FieldName, config: MappingConfig): boolean {
  return field === 'status' || ruleOf(field, config) === 'manual';
}

/** The base as the ledger has it, or what of it still counts after the ledger was brought back. */
function baseNow({ link, config }: DecideInput, crm: CrmObservation, vendor: VendorReading): Base | null {
  const isRestored = vendor.kind === 'observed' && isLedgerRestored(link);
  return isRestored ? baseAfterLedgerRestore(link, crm, vendor.observation, config) : link.base;
}

function planOf(reconciled: Reconciliation, vendorId: string): Plan {
  const { input, vendorNews, merged } = reconciled;
  const { intent } = reconciled.outgoing;
  // What the vendor refused is not sent again, and holds back nothing that goes the other way.
  const refused =
    intent !== null &&
    isRefused(vendorWritePayload({ intent, savedAt: crmVersionOf(reconciled.crm) }), 'vendor-refused', input);
  if (intent !== null && !refused) return planToVendor(reconciled, vendorId, intent);
  const issues = refused ? withRefusals(reconciled.issues, input.link) : reconciled.issues;
  if (vendorNews === null || Object.keys(merged.toCrm).length === 0)
    return nothing(reconciled, refused ? 'refused before' : 'nothing to write', issues);
  const plan = planToCrm({ ...reconciled, issues }, vendorNews);
  return plan.next === 'write-crm' && isRefused(plan.write, 'crm-refused', input)
    ? nothing(reconciled, 'refused before', withRefusals(reconciled.issues, input.link))
    : plan;
}

type LinkUnderMapping = {
  readonly link: Pick<Link, 'vendorInDoubt' | 'base' | 'state' | 'issues'>;
  readonly config: MappingConfig;
};

/** Why an observation of the CRM alone is not enough; null where it may be. */
export function needsReading({ link, config }: LinkUnderMapping): string | null {
  if (link.vendorInDoubt !== 'no') return 'an update may have been applied';
  if (link.base === null) return 'first look at both sides';
  if (isLedgerRestored(link)) return 'the ledger was brought back';
  if (movedFields(link.base, config).length > 0) return 'the mapping has changed';
  if (link.base.inDoubtCrmWrites !== undefined) return 'a write to the CRM may have been applied';
  // What the vendor's users did meanwhile was seen, and led nowhere.
  if (link.state === 'detached') return 'shared again';
  // What is open concerns both sides, and is told anew only by an observation of both.
  return link.issues.some(isOpen) ? 'something is open' : null;
}

function namesAnotherDeal(reference: string | null, crmId: string): boolean {
  return referenceKind(reference) === 'ours' && reference !== crmId;
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
