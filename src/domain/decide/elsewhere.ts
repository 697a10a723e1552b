import type { Plan } from '../record/plan.ts';
import type { DecideInput } from './input.ts';

/**
 * Whether an opportunity belongs to another org. Asked only if this org does not have the opportunity and this tenant never synced it. True
 * if the tenant file says that other orgs use the same vendor account. Also true if this org shows no opportunity of the Salesforce
 * instance that the opportunity's id names.
 */
export function isElsewhere({ config, isOfAnotherOrg }: Pick<DecideInput, 'config' | 'isOfAnotherOrg'>): boolean {
  return config.sharedKey === true || isOfAnotherOrg === true;
}

/** Whether the plan depends on a question that only the CRM can answer: was the missing opportunity created in this org? */
export function dependsOnOrg({ issues }: Plan, { isOfAnotherOrg }: DecideInput): boolean {
  return isOfAnotherOrg !== true && issues.some(({ code }) => code === 'reference-not-in-crm');
}
