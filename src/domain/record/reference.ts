/**
 * What a vendor record's `partnerLeadOpportunityId` says about its counterpart in the CRM.
 * `ours`: it is an opportunity id, so the CRM record decides. `none`: created at the vendor. `foreign`: set by another
 * tool of the partner; the deal is treated as created at the vendor, and the reference is left as it is.
 */
export type ReferenceKind = 'none' | 'ours' | 'foreign';

/** Salesforce's key prefix of Opportunity ids. */
const OPPORTUNITY_ID = /^006[0-9A-Za-z]{15}$/;

export function referenceKind(reference: string | null): ReferenceKind {
  if (reference === null || reference === '') return 'none';
  return OPPORTUNITY_ID.test(reference) ? 'ours' : 'foreign';
}
