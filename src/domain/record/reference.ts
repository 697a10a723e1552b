import type { MappingConfig } from './mapping-config.ts';
import { toDealId, toOpportunityId } from './salesforce-id.ts';

/**
 * What the partner reference (`partnerLeadOpportunityId`) of a vendor record refers to. `ours`: it has the form of an opportunity's id (or
 * a lead's, if the tenant syncs leads). Only a read of the CRM record with this id shows whether the vendor record and the CRM record
 * belong together. `none`: there is no reference, so the deal was created at the vendor. `foreign`: another tool of the partner set the
 * reference. A deal with a foreign reference counts as created at the vendor, and Lockstep does not change the reference.
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

/**
 * The partner reference of a vendor record, with an id of our CRM in its 18-character form. Reports and users often use the form with 15
 * characters. A reference that is no CRM id is returned unchanged.
 */
export function readReference(reference: string | null, config: Config): string | null {
  return (reference && crmIdOf(reference.trim(), config)) ?? reference;
}

function crmIdOf(reference: string, { leads }: Config): string | null {
  return leads === undefined ? toOpportunityId(reference) : toDealId(reference);
}
