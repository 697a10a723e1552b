import {
  allowanceOf,
  type BudgetVerdict,
  budgetVerdict,
  CALL_PURPOSE_NAMES,
  type CallPurpose,
  type CrmUse,
  ownOf,
} from '../../domain/loop/crm-budget.ts';

/** Lockstep's share of an org's daily API calls, counted over all processes. */
export type CrmCallsToday = {
  /** How many calls Lockstep made within the last day, and the number that its share allows. */
  readonly own: number;
  readonly allowed: number;
  readonly share: number;
  /** How many calls all clients made within the last day, and the org's limit. */
  readonly used: number;
  readonly limit: number;
  /** For each purpose of calls: whether Lockstep sends them, slows them down, or lets them wait. */
  readonly purposes: Readonly<Record<CallPurpose, BudgetVerdict>>;
};

/**
 * Lockstep's API calls to an org within the last day, compared with its share; null if the org has reported no figures within a day.
 * `share`: the fraction of the org's limit that Lockstep may use.
 */
export function crmCallsToday(use: CrmUse | undefined, share: number): CrmCallsToday | null {
  if (use === undefined || use.orgUse === null) return null;
  const purposes = CALL_PURPOSE_NAMES.map((purpose) => [purpose, budgetVerdict(use, share, purpose)] as const);
  return {
    own: ownOf(use),
    allowed: allowanceOf(use, share) ?? 0,
    share,
    ...use.orgUse,
    purposes: Object.fromEntries(purposes) as Record<CallPurpose, BudgetVerdict>,
  };
}

/** For each purpose of calls to the CRM, the kinds of work that belong to it, in words. */
export const PURPOSE_WORDS: Readonly<Record<CallPurpose, string>> = {
  interactive: 'changes of records',
  sweep: 'sweeps',
  bulk: 'backfill, catalog, orders and audit',
};

/**
 * The kinds of work whose calls to the CRM are slowed down or wait because of the budget, each in a few words, such as `sweeps wait`. Empty
 * if all calls are sent.
 */
export function heldPurposes({ purposes }: CrmCallsToday): readonly string[] {
  const words = { slows: 'come half-hourly', waits: 'wait' } as const;
  return CALL_PURPOSE_NAMES.flatMap((purpose) => {
    const verdict = purposes[purpose];
    return verdict === 'goes' ? [] : [`${PURPOSE_WORDS[purpose]} ${words[verdict]}`];
  });
}
