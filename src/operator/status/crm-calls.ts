import {
  allowanceOf,
  type BudgetVerdict,
  budgetVerdict,
  CALL_PURPOSE_NAMES,
  type CallPurpose,
  type CrmUse,
  ownOf,
} from '../../domain/loop/crm-budget.ts';

/** Lockstep's API calls to an org within a day, counted over all processes, and the part of the org's daily limit that Lockstep may use. */
export type CrmCallsToday = {
  /** `own`: how many API calls Lockstep made within the last day. `allowed`: how many it may make in a day. */
  readonly own: number;
  readonly allowed: number;
  readonly share: number;
  /** `used`: how many API calls all clients of the org made within the last day. `limit`: how many the org allows them. */
  readonly used: number;
  readonly limit: number;
  /**
   * For each purpose of API calls: whether Lockstep makes the calls at once (`goes`), makes them rarely (`slows`), or lets them wait
   * (`waits`).
   */
  readonly purposes: Readonly<Record<CallPurpose, BudgetVerdict>>;
};

/**
 * Lockstep's API calls to an org within the last day, compared with the number that it may make. `share`: the fraction of the org's limit
 * that Lockstep may use. Null if the org has reported no numbers within a day.
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

/** For each purpose of API calls to the CRM, the work that makes such calls, in words. */
export const PURPOSE_WORDS: Readonly<Record<CallPurpose, string>> = {
  interactive: 'changes of records',
  sweep: 'sweeps',
  bulk: 'backfill, catalog, orders and audit',
};

/**
 * The work whose API calls to the CRM are slowed down or wait, because Lockstep's daily number of calls is nearly used up. Each in a few
 * words, such as `sweeps wait`. Empty if all calls are made at once.
 */
export function heldPurposes({ purposes }: CrmCallsToday): readonly string[] {
  const words = { slows: 'come half-hourly', waits: 'wait' } as const;
  return CALL_PURPOSE_NAMES.flatMap((purpose) => {
    const verdict = purposes[purpose];
    return verdict === 'goes' ? [] : [`${PURPOSE_WORDS[purpose]} ${words[verdict]}`];
  });
}
