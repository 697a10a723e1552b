import {
  allowanceOf,
  type BudgetVerdict,
  budgetVerdict,
  CRM_LANE_NAMES,
  type CrmLane,
  type CrmUse,
  ownOf,
} from '../domain/loop/crm-budget.ts';

/** What of an org's daily API calls is Lockstep's, as all processes told last. */
export type CrmCallsToday = {
  /** Our calls within a day, and how many the share allows. */
  readonly own: number;
  readonly allowed: number;
  readonly share: number;
  /** Everybody's, and the org's limit. */
  readonly used: number;
  readonly limit: number;
  /** Which kinds of work have room, make their calls seldom, or wait. */
  readonly lanes: Readonly<Record<CrmLane, BudgetVerdict>>;
};

/** Null where the org has told nothing within a day. */
export function crmCallsToday(use: CrmUse | undefined, share: number): CrmCallsToday | null {
  if (use === undefined || use.told === null) return null;
  const lanes = CRM_LANE_NAMES.map((lane) => [lane, budgetVerdict(use, share, lane)] as const);
  return {
    own: ownOf(use),
    allowed: allowanceOf(use, share) ?? 0,
    share,
    ...use.told,
    lanes: Object.fromEntries(lanes) as Record<CrmLane, BudgetVerdict>,
  };
}

/** Of whom the calls are, in words. */
export const LANE_WORDS: Readonly<Record<CrmLane, string>> = {
  interactive: 'changes of records',
  sweep: 'sweeps',
  bulk: 'backfill, catalog, orders and audit',
};

/** What does not go on as it should, in words; empty where everything has room. */
export function heldLanes({ lanes }: CrmCallsToday): readonly string[] {
  const words = { slows: 'come half-hourly', waits: 'wait' } as const;
  return CRM_LANE_NAMES.flatMap((lane) => {
    const verdict = lanes[lane];
    return verdict === 'goes' ? [] : [`${LANE_WORDS[lane]} ${words[verdict]}`];
  });
}
