import type { MappingConfig } from './mapping-config.ts';
import { toDealId, toOpportunityId } from './salesforce-id.ts';

/**
 * What a vendor record's `partnerLeadOpportunityId` refers to. `ours`: the id of an opportunity (or of a lead, if the tenant syncs leads);
 * a read of that CRM record shows whether the two belong together. `none`: there is no reference, so the deal was created at the vendor.
 * `foreign`: another tool of the partner set the reference. Such a deal counts as created at the vendor, and Lockstep does not change its
 * reference.
 */
export type ReferenceKind = 'none' | 'ours' | 'foreign';

/** Whether a vendor record has no partner reference, which means that the deal was created at the vendor. */
export function isUnnamed(reference: string | null): boolean {
  return reference === null || reference === '';
}

type Config = Pick<MappingConfig, 'leads'>;

export function referenceKind(reference: string | null, config: Config): ReferenceKind {
  if (reference === null || isUnnamed(reference)) return 'none';
  return crmIdOf(reference, config) === null ? 'foreign' : 'ours';
}

/** The partner reference of a vendor record. If it is a CRM id, it is returned with 18 characters, because reports and people use 15. */
export function readReference(reference: string | null, config: Config): string | null {
  return (reference && crmIdOf(reference.trim(), config)) ?? reference;
}

function crmIdOf(reference: string, { leads }: Config): string | null {
  return leads === undefined ? toOpportunityId(reference) : toDealId(reference);
}
