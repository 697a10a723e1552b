import type { Plan } from '../record/plan.ts';
import type { DecideInput } from './input.ts';

/**
 * Whether the opportunity that a vendor record names belongs to another org. Called only if this org does not have the opportunity and this
 * tenant never synced it. True if the tenant file says that other orgs use the same vendor account. Also true if the opportunity's id names
 * a Salesforce instance from which this org shows no opportunity.
 */
export function isElsewhere({ config, isOfAnotherOrg }: Pick<DecideInput, 'config' | 'isOfAnotherOrg'>): boolean {
  return config.sharedKey === true || isOfAnotherOrg === true;
}

/** Whether the plan depends on a question that only the CRM can answer: was the missing opportunity created in this org? */
export function dependsOnOrg({ issues }: Plan, { isOfAnotherOrg }: DecideInput): boolean {
  return isOfAnotherOrg !== true && issues.some(({ code }) => code === 'reference-not-in-crm');
}
