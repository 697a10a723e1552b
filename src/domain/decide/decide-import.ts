import { isImportInDoubt } from '../base/in-doubt-writes.ts';
import { withLinesOfProducts } from '../lines/lines-with-product.ts';
import { crmCreate } from '../mapping/index.ts';
import { leadMapping } from '../mapping/leads/lead-mapping.ts';
import { EMPTY_BASE } from '../record/base.ts';
import type { Observed } from '../record/canonical.ts';
import type { CrmCreate } from '../record/crm-graph.ts';
import { ISSUES } from '../record/issues.ts';
import { stateOf } from '../record/link-state.ts';
import type { VendorObservation } from '../record/observation.ts';
import type { Plan } from '../record/plan.ts';
import { referenceKind } from '../record/reference.ts';
import { isLeadStatus } from '../values/status.ts';
import { heldLines, sentToOpportunity, unfitValues, withhold } from './holds.ts';
import { withoutContactsNotMade } from './import-gaps.ts';
import type { DecideInput, VendorReading } from './input.ts';
import { detached, lookFurther, parked } from './without-write.ts';

/**
 * Decides about a deal that only the vendor has. The first case that applies decides:
 *
 * - The vendor's record was not read for this decision: Lockstep must read it.
 * - An operator separated the deal from records of the CRM, and the tenant imports deals: the deal waits for a person.
 * - The partner reference has the form of a CRM id: Lockstep must first find the link (pair of CRM record and vendor record) with this id.
 * - The tenant does not import deals: nothing is synced.
 * - All other deals: Lockstep creates an opportunity; or a lead, if the tenant wants leads and the vendor's status is a status of a lead.
 *   If an earlier create got no answer, the CRM client first searches for the record that this create may have made.
 */
export function decideImport(asked: DecideInput, vendor: VendorReading): Plan {
  if (vendor.kind === 'unread') return lookFurther('read-vendor', 'seen at the vendor only', 'new', []);
  const { observation } = vendor;
  const input = becomesLead(observation.record, asked) ? { ...asked, config: leadMapping(asked.config) } : asked;
  if (input.ambiguity?.kind === 'separated' && input.importFromVendor)
    return parked([ISSUES.separated(`the deal ${observation.vendorId} of the vendor`, input.ambiguity.from)]);
  if (input.ambiguity === null && referenceKind(observation.reference, input.config) === 'ours')
    return lookFurther('read-vendor', 'names an opportunity of ours', 'new', []);
  if (!input.importFromVendor) return detached('import of vendor-created records is off for this tenant');
  const make = (record: Observed) => crmCreate({ ...observation, record }, input.config, input.crmLimits);
  const people = withoutContactsNotMade(observation.record, input);
  const shared = withLinesThatFit(people.record, input, (record) => make(record).create.lines);
  type Made = ReturnType<typeof make>;
  const sent = ({ create }: Made) => sentToOpportunity(create.opportunity, input.config);
  const unfit = ({ create }: Made) => unfitValues(create.opportunity, 'create', input);
  const held = withhold(shared.record, { side: 'crm', savedAt: null, make, sent, unfit }, input);
  const { record, made } = held;
  const issues = [...people.issues, ...shared.issues, ...held.issues, ...made.issues];
  return {
    next: 'create-in-crm',
    reason: 'created at the vendor',
    create: isImportInDoubt(input.link.base) ? { ...made.create, isRepeated: true } : made.create,
    decisions: [],
    issues,
    baseBefore: input.link.base,
    // The base gets its CRM values from the first read of the new opportunity.
    baseAfter: { ...EMPTY_BASE, vendor: asShown(record, observation), vendorVersion: observation.version },
    stateAfter: stateOf(issues),
  };
}

/**
 * Whether a vendor record becomes a lead in the CRM and not an opportunity. True if the tenant wants leads and the record's status is a
 * status of a lead.
 */
function becomesLead({ status }: Observed, { config }: DecideInput): boolean {
  return config.leads?.imports === true && typeof status === 'string' && isLeadStatus(status, config);
}

/**
 * The vendor's values on which both sides agree after an import (create of a vendor-created deal in the CRM): the values of the imported
 * record, and all contacts of the vendor's record. Contacts that the CRM does not get are included, so that they do not count as new at the
 * vendor.
 */
function asShown(record: Observed, { record: { customerContacts } }: VendorObservation): Observed {
  return customerContacts === undefined ? record : { ...record, customerContacts };
}

/** The vendor's record without lines that the CRM cannot store or has refused, and the issues about these lines. */
function withLinesThatFit(
  record: Observed,
  input: DecideInput,
  rowsOf: (record: Observed) => CrmCreate['lines'],
): ReturnType<typeof withLinesOfProducts> {
  const known = withLinesOfProducts(record, input);
  const held = heldLines(rowsOf(known.record), null, input);
  return held.size === 0 ? known : withLinesOfProducts(record, { ...input, heldOffers: held });
}
