import type { Plan } from '../record/plan.ts';
import type { DecideInput } from './input.ts';

/**
 * Whether the opportunity that a vendor record names belongs to another org. Called only if this org does not have the opportunity and this
 * tenant never synced it. True if the tenant file says that other orgs use the same vendor account. Also true if the id shows that this org
 * did not create the opportunity. A Salesforce id contains the code of the instance that created it, and no opportunity of this org has
 * that code.
 */
export function isElsewhere({ config, isOfAnotherOrg }: Pick<DecideInput, 'config' | 'isOfAnotherOrg'>): boolean {
  return config.sharedKey === true || isOfAnotherOrg === true;
}

/** Whether the plan depends on a question that only the CRM can answer: was the missing opportunity created in this org? */
export function dependsOnOrg({ issues }: Plan, { isOfAnotherOrg }: DecideInput): boolean {
  return isOfAnotherOrg !== true && issues.some(({ code }) => code === 'reference-not-in-crm');
}
