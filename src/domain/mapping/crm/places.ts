import type { CrmFields, CrmValue } from '../../record/crm-graph.ts';
import type { Choice, ObjectLimits } from '../../record/crm-limits.ts';

const [COUNTRY, STATE] = ['BillingCountry', 'BillingState'] as const;

/** Fields of an account's address without a picklist value in the org. A state counts only if its country has states. */
export type UnknownPlace = typeof COUNTRY | typeof STATE;

/**
 * An account for an org with State and Country/Territory Picklists. Country and state get their codes, found by code or label. They are
 * left out if the picklists lack them. The label is set too, as the org shows it for the code. An org without these picklists accepts any
 * text. Pure.
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
