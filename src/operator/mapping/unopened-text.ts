import type { Tenant } from '../../platform/tenant.ts';

/** What is wrong with a published mapping that does not open, and the repair, as one line of text. */
export function unopenedText({ version, applies }: NonNullable<Tenant['unopenedMapping']>, tenant: string): string {
  return `version ${version} of the mapping does not open with the sealing keys of this process, or was changed in another way than by lockstep mapping, so version ${applies} applies; give the process the key that it was sealed with, or publish the mapping again: lockstep mapping versions --tenant ${tenant}`;
}
