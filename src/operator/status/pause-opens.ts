import type { OperationGroup } from '../../domain/loop/operation-groups.ts';

const OPENS: Readonly<Record<OperationGroup, (tenant: string) => string>> = {
  'vendor-sales': ofVendor,
  'vendor-order': ofVendor,
  salesforce: (tenant) =>
    `what is refused says lockstep doctor --tenant ${tenant}; it ends by itself once Salesforce answers again, or: lockstep resume ${tenant}`,
  'whole-tenant': (tenant) => `look at the org, then: lockstep resume ${tenant}`,
  'by-hand': (tenant) => `lockstep tenants resume ${tenant}`,
};

function ofVendor(tenant: string): string {
  return `where it refuses the key: lockstep keys status ${tenant}; it ends by itself once the vendor answers again, or: lockstep resume ${tenant}`;
}

/** Where to find the cause of a group's pause and how to end it: a sentence with the command to type. */
export function pauseOpens(group: OperationGroup, tenant: string): string {
  return OPENS[group](tenant);
}
