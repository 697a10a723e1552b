import type { Tenant } from '../../platform/tenant.ts';

/**
 * One line of text for a published mapping that this process cannot use, because it cannot be decrypted or was changed in the database. The
 * text says which version applies instead, and what to do.
 */
export function unopenedText({ version, applies }: NonNullable<Tenant['unopenedMapping']>, tenant: string): string {
  return `version ${version} of the mapping does not open with the sealing keys of this process, or was changed in another way than by lockstep mapping, so version ${applies} applies; give the process the key that it was sealed with, or publish the mapping again: lockstep mapping versions --tenant ${tenant}`;
}
