import type { MappingConfig } from './mapping-config.ts';
import { toDealId, toOpportunityId } from './salesforce-id.ts';

/**
 * What a vendor record's `partnerLeadOpportunityId` refers to. `ours`: an opportunity, or a lead if the tenant syncs leads; that CRM record
 * then decides whether the deals belong together. `none`: the deal was created at the vendor. `foreign`: another tool of the partner set
 * the reference. Such a deal counts as created at the vendor, and Lockstep leaves its reference unchanged.
 */
export type ReferenceKind = 'none' | 'ours' | 'foreign';

/** Whether a vendor record has no reference: the deal was created at the vendor. */
export function isUnnamed(reference: string | null): boolean {
  return reference === null || reference === '';
}

type Config = Pick<MappingConfig, 'leads'>;

export function referenceKind(reference: string | null, config: Config): ReferenceKind {
  if (reference === null || isUnnamed(reference)) return 'none';
  return crmIdOf(reference, config) === null ? 'foreign' : 'ours';
}

/** The vendor's reference. A CRM id is returned in its 18-character form, because reports and people write 15 characters. */
export function readReference(reference: string | null, config: Config): string | null {
  return (reference && crmIdOf(reference.trim(), config)) ?? reference;
}

function crmIdOf(reference: string, { leads }: Config): string | null {
  return leads === undefined ? toOpportunityId(reference) : toDealId(reference);
}
