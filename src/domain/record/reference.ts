import { toOpportunityId } from './salesforce-id.ts';

/**
 * What a vendor record's `partnerLeadOpportunityId` says about its counterpart in the CRM.
 * `ours`: it is an opportunity id, so the CRM record decides. `none`: created at the vendor. `foreign`: set by another
 * tool of the partner; the deal is treated as created at the vendor, and the reference is left as it is.
 */
export type ReferenceKind = 'none' | 'ours' | 'foreign';

export function referenceKind(reference: string | null): ReferenceKind {
  if (reference === null || reference === '') return 'none';
  return toOpportunityId(reference) === null ? 'foreign' : 'ours';
}

/** A reference as the vendor holds it, an opportunity id in its 18-character form: reports and people write it with 15. */
export function readReference(reference: string | null): string | null {
  return (reference && toOpportunityId(reference.trim())) ?? reference;
}
