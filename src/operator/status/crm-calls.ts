import {
  allowanceOf,
  type BudgetVerdict,
  budgetVerdict,
  CALL_PURPOSE_NAMES,
  type CallPurpose,
  type CrmUse,
  ownOf,
} from '../../domain/loop/crm-budget.ts';

/** What of an org's daily API calls is Lockstep's, as all processes orgUse last. */
export type CrmCallsToday = {
  /** Our calls within a day, and how many the share allows. */
  readonly own: number;
  readonly allowed: number;
  readonly share: number;
  /** Everybody's, and the org's limit. */
  readonly used: number;
  readonly limit: number;
  /** Which kinds of work have room, make their calls seldom, or wait. */
  readonly purposes: Readonly<Record<CallPurpose, BudgetVerdict>>;
};

/** Null where the org has reported nothing within a day. */
export function crmCallsToday(use: CrmUse | undefined, share: number): CrmCallsToday | null {
  if (use === undefined || use.orgUse === null) return null;
  const purposes = CALL_PURPOSE_NAMES.map(
    (purpose) => [purpose, budgetVerdict(use, share, purpose)] as const,
  );
  return {
    own: ownOf(use),
    allowed: allowanceOf(use, share) ?? 0,
    share,
    ...use.orgUse,
    purposes: Object.fromEntries(purposes) as Record<CallPurpose, BudgetVerdict>,
  };
}

/** Of whom the calls are, in words. */
export const PURPOSE_WORDS: Readonly<Record<CallPurpose, string>> = {
  interactive: 'changes of records',
  sweep: 'sweeps',
  bulk: 'backfill, catalog, orders and audit',
};

/** What does not go on as it should, in words; empty where everything has room. */
export function heldPurposes({ purposes }: CrmCallsToday): readonly string[] {
  const words = { slows: 'come half-hourly', waits: 'wait' } as const;
  return CALL_PURPOSE_NAMES.flatMap((purpose) => {
    const verdict = purposes[purpose];
    return verdict === 'goes' ? [] : [`${PURPOSE_WORDS[purpose]} ${words[verdict]}`];
  });
}
