import type { CrmSetup, CrmValidationRule } from '../../salesforce/setup.ts';
import { hidden, type Judgment, ok } from './finding.ts';
import { type FlowNeed, judgeFlows } from './judge-flows.ts';

/**
 * A custom permission of the CRM package. The package's validation rule, which refuses changes of Lockstep's own fields, does not apply to
 * users with this permission, such as the integration user.
 */
const EXEMPT = 'Lockstep_Owned_Fields';

export type SetupNeeds = {
  /** API names of the objects that Lockstep writes. */
  readonly objects: readonly string[];
  /** Whether Lockstep's writes ignore Salesforce's duplicate rules that only warn. */
  readonly allowDuplicates: boolean;
  /** The flows of the CRM package that matter for the tenant. */
  readonly flows: readonly FlowNeed[];
};

/**
 * Judges the org's automation: the CRM package's flows, the integration user's permissions, and the validation and duplicate rules that can
 * refuse a write of Lockstep.
 */
export function judgeSetup(setup: CrmSetup, needs: SetupNeeds): readonly Judgment[] {
  return [
    ...judgeFlows(setup.flows, needs.flows),
    judgeSending(setup.sendingSets),
    judgeValidation(setup.validationRules, needs),
    judgeDuplicates(setup.duplicateRules, needs),
  ];
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

/**
 * Whether the validation rule's formula names the permission `EXEMPT`, which exempts the integration user. False if the formula could not
 * be read.
 */
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
