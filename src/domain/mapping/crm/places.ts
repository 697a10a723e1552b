import type { CrmFields, CrmValue } from '../../record/crm-graph.ts';
import type { Choice, ObjectLimits } from '../../record/crm-limits.ts';

const [COUNTRY, STATE] = ['BillingCountry', 'BillingState'] as const;

/**
 * An address field of an account (country or state) whose value the org's picklists lack. A state counts as unknown only if the picklist
 * has states of the account's country. If it has none, the state is not written, and does not count as unknown.
 */
export type UnknownPlace = typeof COUNTRY | typeof STATE;

/**
 * The account as an org with State and Country/Territory Picklists accepts it. Country and state are each found by code or label, and
 * written as both. A country or state that the picklists lack is left out and returned in `unknown`. The account stays unchanged in an org
 * without these picklists. Pure.
 */
export function inPicklists(
  account: CrmFields,
  limits: ObjectLimits | undefined,
): { readonly row: CrmFields; readonly unknown: readonly UnknownPlace[] } {
  const countries = limits?.[`${COUNTRY}Code`]?.choices;
  if (countries === undefined) return { row: account, unknown: [] };
  const { [COUNTRY]: country = null, [STATE]: state = null, ...others } = account;
  const chosen = choiceOf(country, countries);
  const states = (limits?.[`${STATE}Code`]?.choices ?? []).filter(
    (each) => chosen !== undefined && each.goesWith?.includes(chosen.value) === true,
  );
  const province = choiceOf(state, states);
  const isUnknown = state !== null && province === undefined && states.length > 0;
  return {
    row: { ...others, ...cellsOf(COUNTRY, chosen), ...cellsOf(STATE, province) },
    unknown: [...(country !== null && chosen === undefined ? [COUNTRY] : []), ...(isUnknown ? [STATE] : [])],
  };
}

function choiceOf(text: CrmValue, choices: readonly Choice[]): Choice | undefined {
  const sought = folded(text);
  return choices.find(({ value }) => folded(value) === sought) ?? choices.find(({ label }) => folded(label) === sought);
}

function folded(text: CrmValue): string {
  return String(text ?? '')
    .trim()
    .toLowerCase();
}

function cellsOf(field: UnknownPlace, choice: Choice | undefined): CrmFields {
  return choice === undefined ? {} : { [field]: choice.label, [`${field}Code`]: choice.value };
}
