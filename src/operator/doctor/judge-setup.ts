import type { ChangesBy } from '../../platform/tenant.ts';
import type { CrmSetup, CrmValidationRule } from '../../salesforce/setup.ts';
import { type Judgment, ok } from './finding.ts';

/** The flow of the CRM package that notifies Lockstep of changed opportunities. */
export const FLOW = 'Lockstep_Opportunity_Changed';
/** The custom permission that exempts the integration user from a validation rule. */
const EXEMPT = 'Lockstep_Owned_Fields';
const SHOW = 'give the integration user "View Setup and Configuration" for as long as this is looked at, or look';

export type SetupNeeds = {
  /** API names of the objects that Lockstep writes. */
  readonly objects: readonly string[];
  /** Whether Lockstep's writes bypass duplicate rules that only alert. */
  readonly allowDuplicates: boolean;
  /** How changes of the CRM arrive; with `pubsub` the flow is not needed. */
  readonly changes: ChangesBy;
};

/**
 * Judges the org's automation: the package's flow (which reports changes), the integration user's permissions, and rules that can refuse a
 * write.
 */
export function judgeSetup(setup: CrmSetup, needs: SetupNeeds): readonly Judgment[] {
  return [
    needs.changes === 'pubsub' ? judgeNoFlow(setup.flow) : judgeFlow(setup.flow),
    judgeSending(setup.sendingSets),
    judgeValidation(setup.validationRules, needs),
    judgeDuplicates(setup.duplicateRules, needs),
  ];
}

function judgeFlow(flow: CrmSetup['flow']): Judgment {
  if (flow === null) return hidden('the org shows us no flows', `under Setup, Flows: ${FLOW} is to be active`);
  if (flow === 'active') return ok(`the flow ${FLOW} is active`);
  return {
    verdict: 'warns',
    what: `the flow ${FLOW} is ${flow}: changes of the CRM wait for the sweep`,
    repair: flow === 'missing' ? 'deploy the package' : 'activate it under Setup, Flows',
  };
}

/**
 * Judges the package's flow for a tenant that uses change events: the flow must be inactive, because its messages would wake each deal a
 * second time.
 */
function judgeNoFlow(flow: CrmSetup['flow']): Judgment {
  if (flow !== 'active') return ok('changes of the CRM come as change events; no flow sends messages');
  return {
    verdict: 'warns',
    what: `the flow ${FLOW} is active although changes come as change events: each save is looked at twice`,
    repair: 'deactivate it under Setup, Flows, or set salesforce.changes to both',
  };
}

function judgeSending(sets: CrmSetup['sendingSets']): Judgment {
  if (sets === null) {
    const where = 'at its profile and permission sets: "Send Outbound Messages" is to be off';
    return hidden('the org shows us no permissions of the integration user', where);
  }
  if (sets.length === 0) return ok('the integration user sends no outbound messages');
  const named = sets.map(({ name, isProfile }) => (isProfile ? 'its profile' : name)).join(', ');
  return {
    verdict: 'warns',
    what: 'the integration user may send outbound messages: each of our writes wakes us once more',
    repair: `take "Send Outbound Messages" from ${named}`,
  };
}

function judgeValidation(rules: CrmSetup['validationRules'], { objects }: SetupNeeds): Judgment {
  if (rules === null) {
    return hidden('the org shows us no validation rules', 'under Setup, Object Manager, Validation Rules');
  }
  const binding = rules.filter((rule) => objects.includes(rule.object) && !lets(rule));
  if (binding.length === 0) return ok('no validation rule binds the integration user');
  return {
    verdict: 'warns',
    what: `validation rules can refuse what the vendor changed: ${named(binding)}`,
    repair: `exempt the integration user: AND(NOT($Permission.${EXEMPT}), …); what a rule refuses waits, see lockstep inbox`,
  };
}

/** Whether the validation rule exempts the integration user. False if the rule's formula could not be read. */
function lets({ formula }: CrmValidationRule): boolean {
  return formula?.includes(`$Permission.${EXEMPT}`) === true;
}

function judgeDuplicates(rules: CrmSetup['duplicateRules'], { objects, allowDuplicates }: SetupNeeds): Judgment {
  if (rules === null) return hidden('the org shows us no duplicate rules', 'under Setup, Duplicate Rules');
  const binding = rules.filter(({ object }) => objects.includes(object));
  if (binding.length === 0) return ok('no duplicate rule is active on what is written');
  if (allowDuplicates) {
    return ok(`duplicate rules are passed where they only alert (salesforce.allowDuplicates): ${named(binding)}`);
  }
  return {
    verdict: 'warns',
    what: `duplicate rules can refuse what is made for the vendor: ${named(binding)}`,
    repair:
      'exempt the integration user in the rule’s conditions, or set salesforce.allowDuplicates, which passes those that only alert',
  };
}

function named(rules: readonly { readonly object: string; readonly name: string }[]): string {
  return rules.map(({ object, name }) => `${object}.${name}`).join(', ');
}

function hidden(what: string, where: string): Judgment {
  return { verdict: 'skipped', what, repair: `${SHOW} ${where}` };
}
