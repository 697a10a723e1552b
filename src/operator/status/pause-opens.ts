import type { OperationGroup } from '../../domain/loop/operation-groups.ts';
import { ORG_REFUSALS } from '../../domain/record/known-org.ts';

const OPENS: Readonly<Record<OperationGroup, (tenant: string) => string>> = {
  'vendor-sales': ofVendor,
  'vendor-order': ofVendor,
  salesforce: (tenant) =>
    `ends when Salesforce answers again; cause: lockstep doctor --tenant ${tenant}; to end it now: lockstep resume ${tenant}`,
  'whole-tenant': (tenant) => `check the org, then: lockstep resume ${tenant}`,
  'by-hand': (tenant) => `lockstep tenants resume ${tenant}`,
};

function ofVendor(tenant: string): string {
  return `ends when the vendor answers again; key: lockstep keys status ${tenant}; to end it now: lockstep resume ${tenant}`;
}

/**
 * A text that says what will end the pause of an operation group (requests that fail together). It names the commands that show the pause's
 * cause and that end the pause.
 */
export function pauseOpens(group: OperationGroup, tenant: string, reason = ''): string {
  if (ORG_REFUSALS.some((code) => reason.includes(code)))
    return `check which org salesforce.loginUrl names; to let Lockstep work with it, write its id into salesforce.organizationId`;
  return OPENS[group](tenant);
}
