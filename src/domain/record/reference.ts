import { toOpportunityId } from './salesforce-id.ts';

/**
 * What a vendor record's `partnerLeadOpportunityId` says about its CRM record. `ours`: an opportunity id, so the CRM record decides.
 * `none`: the deal was created at the vendor. `foreign`: another tool of the partner set it. The deal counts as created at the vendor, and
 * Lockstep leaves the reference unchanged.
 */
export type ReferenceKind = 'none' | 'ours' | 'foreign';

export function referenceKind(reference: string | null): ReferenceKind {
  if (reference === null || reference === '') return 'none';
  return toOpportunityId(reference) === null ? 'foreign' : 'ours';
}

/** The vendor's reference. An opportunity id is returned in its 18-character form, because reports and people write 15 characters. */
export function readReference(reference: string | null): string | null {
  return (reference && toOpportunityId(reference.trim())) ?? reference;
}
