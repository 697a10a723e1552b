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
  readonly lanes: Readonly<Record<CallPurpose, BudgetVerdict>>;
};

/** Null where the org has orgUse nothing within a day. */
export function crmCallsToday(use: CrmUse | undefined, share: number): CrmCallsToday | null {
  if (use === undefined || use.orgUse === null) return null;
  const lanes = CALL_PURPOSE_NAMES.map((lane) => [lane, budgetVerdict(use, share, lane)] as const);
  return {
    own: ownOf(use),
    allowed: allowanceOf(use, share) ?? 0,
    share,
    ...use.orgUse,
    lanes: Object.fromEntries(lanes) as Record<CallPurpose, BudgetVerdict>,
  };
}

/** Of whom the calls are, in words. */
export const PURPOSE_WORDS: Readonly<Record<CallPurpose, string>> = {
  interactive: 'changes of records',
  sweep: 'sweeps',
  bulk: 'backfill, catalog, orders and audit',
};

/** What does not go on as it should, in words; empty where everything has room. */
export function heldPurposes({ lanes }: CrmCallsToday): readonly string[] {
  const words = { slows: 'come half-hourly', waits: 'wait' } as const;
  return CALL_PURPOSE_NAMES.flatMap((lane) => {
    const verdict = lanes[lane];
    return verdict === 'goes' ? [] : [`${PURPOSE_WORDS[lane]} ${words[verdict]}`];
  });
}
