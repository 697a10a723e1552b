import type { Plan } from '../record/plan.ts';
import type { DecideInput } from './input.ts';

/**
 * Whether an opportunity that this org does not have, and that this tenant has never synced, belongs to another org. True if the tenant
 * file says that other orgs use the same vendor account, or if the CRM shows no opportunity from the Salesforce instance that the id names.
 */
export function isElsewhere({ config, isOfAnotherOrg }: Pick<DecideInput, 'config' | 'isOfAnotherOrg'>): boolean {
  return config.sharedKey === true || isOfAnotherOrg === true;
}

/** Whether a plan needs the CRM's answer to the question whether the missing opportunity was made in this org. */
export function dependsOnOrg({ issues }: Plan, { isOfAnotherOrg }: DecideInput): boolean {
  return isOfAnotherOrg !== true && issues.some(({ code }) => code === 'reference-not-in-crm');
}
