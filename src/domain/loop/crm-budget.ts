/**
 * What Lockstep takes of an org's daily API calls. Salesforce counts the calls of a day that goes on, of everybody, and tells both
 * numbers with each answer; how many of them are ours, we count.
 */

/** What calls are for, and from which part of our share on they are made seldom, and made no more. */
export const CALL_PURPOSES = {
  /** A change that somebody waits for. */
  interactive: { slowsAt: 1, stopsAt: 1, orgAt: Number.POSITIVE_INFINITY },
  /** The net under messages that were lost. */
  sweep: { slowsAt: 0.75, stopsAt: 0.95, orgAt: 0.95 },
  /** Backfill, catalog, orders, audit: nobody waits for one of their calls. */
  bulk: { slowsAt: 0.6, stopsAt: 0.6, orgAt: 0.9 },
} as const satisfies Readonly<
  Record<string, { readonly slowsAt: number; readonly stopsAt: number; readonly orgAt: number }>
>;
export type CallPurpose = keyof typeof CALL_PURPOSES;
export const CALL_PURPOSE_NAMES = Object.keys(CALL_PURPOSES) as readonly CallPurpose[];

/** The part of an org's daily calls that Lockstep keeps to, unless the tenant file says otherwise. */
export const DEFAULT_API_SHARE = 0.25;

/** The calls of the last day: ours, and as Salesforce told last of everybody; null where it has told nothing within a day. */
export type CrmUse = {
  readonly own: number;
  readonly orgUse: { readonly used: number; readonly limit: number } | null;
};

/** What is left to a lane: it goes on, goes on seldom, or waits. */
export type BudgetVerdict = 'goes' | 'slows' | 'waits';

/** A lane that is slow makes its calls no sooner than this after the last ones. */
export const SLOW_EVERY_MS = 1_800_000;
/** When what waits looks again: calls of a day ago cease to count all the time, and a share can be raised. */
export const BUDGET_RETRY_MS = 600_000;

/** How many calls of a day are ours; null where the org's limit is not known. */
export function allowanceOf({ orgUse }: CrmUse, share: number): number | null {
  return orgUse === null ? null : Math.floor(orgUse.limit * share);
}

/** What of the calls within a day was ours: never more than Salesforce counted of everybody, which is less after it was reset. */
export function ownOf({ own, orgUse }: CrmUse): number {
  return orgUse === null ? own : Math.min(own, orgUse.used);
}

/** Whether calls of a lane may be made. What is not known stops nothing. `share`: from 0 to 1. */
export function budgetVerdict(use: CrmUse, share: number, purpose: CallPurpose): BudgetVerdict {
  const allowance = allowanceOf(use, share);
  if (use.orgUse === null || allowance === null) return 'goes';
  const { slowsAt, stopsAt, orgAt } = CALL_PURPOSES[purpose];
  const own = ownOf(use);
  const isOrgLow = use.orgUse.used >= use.orgUse.limit * orgAt;
  if (own >= allowance * stopsAt || (isOrgLow && slowsAt === stopsAt)) return 'waits';
  return own >= allowance * slowsAt || isOrgLow ? 'slows' : 'goes';
}

/** How long a lane waits before its next calls; 0 where it goes on. `lastAt`: when it made its last ones, ISO, where that is known. */
export function budgetWaitMs(verdict: BudgetVerdict, lastAt: string | null, at: string): number {
  if (verdict === 'goes') return 0;
  if (verdict === 'waits') return BUDGET_RETRY_MS;
  if (lastAt === null) return 0;
  return Math.max(0, Date.parse(lastAt) + SLOW_EVERY_MS - Date.parse(at));
}
