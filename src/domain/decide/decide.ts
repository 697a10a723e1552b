import { baseAfterCreate } from '../base/next-base.ts';
import { notingMapping } from '../base/under-mapping.ts';
import { linesOf } from '../lines/match-lines.ts';
import { pairLines } from '../lines/pair-lines.ts';
import { type CreateBody, createBody } from '../mapping/index.ts';
import type { Observed } from '../record/canonical.ts';
import type { CrmGraph } from '../record/crm-graph.ts';
import { formerLeads } from '../record/former-ids.ts';
import { type Issue, isOfRivals } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import { stateOf } from '../record/link-state.ts';
import { type CrmObservation, crmVersionOf } from '../record/observation.ts';
import { type PartnerIdOf, partnerIdOf } from '../record/partner-ids.ts';
import type { Plan, Waiting } from '../record/plan.ts';
import { scopeOf } from '../record/scope.ts';
import { decideImport } from './decide-import.ts';
import { decideLinked } from './decide-linked.ts';
import { isElsewhere } from './elsewhere.ts';
import { holdOfWrite, issueHolding, withhold, withoutHeld, withoutRefusedLines } from './holds.ts';
import type { Ambiguity, DecideInput, VendorSide } from './input.ts';
import { detached, elsewhere, lookFurther, parked } from './without-write.ts';

/**
 * Decides the next step for one record: a write, a read or search, or nothing. Lockstep calls it again after every step, so a plan has at
 * most one write. Pure; every input has a result.
 */
export function decide(input: DecideInput): Plan {
  return notingMapping(decideNext(input), input.config);
}

function decideNext(input: DecideInput): Plan {
  const { link, crm, vendor } = input;
  const scope = crm.kind === 'observed' ? scopeOf(crm.observation.graph.opportunity) : null;
  if (scope?.inScope === false && !isCreateOfMergedLead(input)) return detached(scope.reason, rivalsToRemember(vendor));
  if (vendor.kind === 'missing') return vendorMissing();
  if (crm.kind === 'missing') return decideWithoutCrmRecord(input);
  if (vendor.kind === 'unclear') return { ...parked([vendor.issue]), reason: vendor.issue.code };
  if (crm.kind === 'unlinked') return decideImport(input, vendor);
  if (link.vendorId === null) return decideCreate(input, crm.observation);
  const crmId = link.crmId ?? opportunityId(crm.observation.graph);
  return decideLinked(input, { crmId, vendorId: link.vendorId }, crm.observation, vendor);
}

/**
 * The plan for a record that does not exist at the vendor any more: the vendor answered ERROR_048, and a search confirmed it (sales spec
 * 5). Lockstep never creates the record again.
 */
function vendorMissing(): Waiting {
  return { ...parked([ISSUES.vendorMissing()]), reason: 'gone at the vendor', stateAfter: 'vendor-missing' };
}

/**
 * Whether the record is a lead that was merged into another lead while a create was in doubt: it was unknown whether the vendor had created
 * a record for this lead. The deal moves to the other lead only after a search has shown what the vendor created.
 */
function isCreateOfMergedLead({ link, crm }: DecideInput): boolean {
  const isMerged = crm.kind === 'observed' && (crm.observation.graph.lead?.mergedInto ?? null) !== null;
  return isMerged && mayHaveCreated(link);
}

function mayHaveCreated({ vendorInDoubt, adoptingSince }: DecideInput['link']): boolean {
  return vendorInDoubt === 'create' || adoptingSince !== null;
}

/**
 * The issue that several vendor records have the same partner reference, for a CRM record that users stopped sharing with the vendor. The
 * issue is kept, so that Lockstep searches for these vendor records again once users share the CRM record again. Empty if there is no such
 * issue.
 */
function rivalsToRemember(vendor: VendorSide): readonly Issue[] {
  return vendor.kind === 'unclear' && isOfRivals(vendor.issue) ? [ISSUES.referenceRepeated()] : [];
}

function decideWithoutCrmRecord(input: DecideInput): Plan {
  const { link, vendor } = input;
  if (link.vendorId === null || link.base !== null)
    return detached('the opportunity does not exist in the CRM', rivalsToRemember(vendor));
  return isElsewhere(input) ? elsewhere() : parked([ISSUES.referenceNotInCrm()]);
}

function decideCreate(input: DecideInput, crm: CrmObservation): Plan {
  const { link, config } = input;
  if (mayHaveCreated(link))
    return lookFurther('search-vendor', 'a create may have been applied', 'pending', link.issues);
  if (input.ambiguity !== null) return parked([issueOf(input.ambiguity)]);
  const entity = entityOf(crm, config);
  if ('hidden' in entity) return parked([...crm.issues, ISSUES.partnerIdHidden(entity.hidden)]);
  const context = { reference: createdUnder(link) ?? opportunityId(crm.graph), config: { ...config, ...entity } };
  const savedAt = crmVersionOf(crm);
  const lines = withoutRefusedLines(linesOf(crm.record), savedAt, input);
  const record = withoutHeld(crm.record, lines.held);
  const make = (values: Observed) => createBody(values, context);
  const making = { side: 'vendor', savedAt, make, sent: ({ intent }: CreateBody) => intent?.record ?? {} } as const;
  const { made, issues: refused } = withhold(record, making, input);
  const issues = [...crm.issues, ...refused, ...lines.issues, ...made.issues];
  if (made.intent === null) return parked(issues);
  const write = { intent: made.intent, savedAt };
  if (issueHolding(holdOfWrite(write), input) !== undefined) return parked(link.issues);
  const linePairs = pairLines(linesOf(record), linesOf(made.intent.record), []);
  return {
    next: 'create-at-vendor',
    reason: 'not yet at the vendor',
    ...write,
    decisions: [],
    issues,
    baseBefore: link.base,
    baseAfter: baseAfterCreate({ ...crm, record }, made.intent, linePairs),
    stateAfter: stateOf(issues),
  };
}

/**
 * The id of the deal's first lead, if Lockstep may have sent a create with this id as partner reference; otherwise null. Such a create may
 * still reach the vendor after the lead was merged or converted. So the next create has this id as reference again, and not the id of the
 * new CRM record. The vendor then refuses one of the two creates, because it accepts a reference only once.
 */
function createdUnder(link: DecideInput['link']): string | null {
  return link.base === null ? null : (formerLeads(link)[0] ?? null);
}

/**
 * The partner's legal entity for which a new deal is registered at the vendor. `hidden` instead names a field that decides about the entity
 * and that Lockstep cannot read.
 */
function entityOf(
  { graph, record }: CrmObservation,
  { partnerIds = [], partnerId }: DecideInput['config'],
): PartnerIdOf {
  const country = record.customerLegalEntity === undefined ? undefined : (record.customerLegalEntity?.country ?? null);
  return partnerIdOf(partnerIds, partnerId, { opportunity: graph.opportunity, country });
}

function issueOf(ambiguity: Ambiguity): Issue {
  switch (ambiguity.kind) {
    case 'may-be':
      return ISSUES.mayBeVendorRecords(ambiguity.vendorIds);
    case 'one-of':
      return ISSUES.oneOfSeveral(ambiguity.vendorId, ambiguity.crmIds);
    case 'id-of-another':
      return ISSUES.vendorIdNotOurs();
    case 'unproven-claim':
      return ISSUES.claimUnproven();
    case 'separated':
      return ISSUES.separated('this opportunity', ambiguity.from, ', or untick "Vendor: share"');
  }
}

function opportunityId(graph: CrmGraph): string {
  return String(graph.opportunity['Id']);
}
