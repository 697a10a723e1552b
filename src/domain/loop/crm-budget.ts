/**
 * The budget of API calls: the share of an org's daily calls that Lockstep may use. Salesforce counts the calls of all clients over a
 * rolling day, and reports count and limit in each response. Lockstep counts its own calls too.
 */

/**
 * For each purpose of CRM calls, how much of the budget must be used up before its calls slow down (`slowsAt`) or stop (`stopsAt`), as
 * fractions of Lockstep's share of the org's calls. `orgAt`: the fraction of the org's whole limit at which the calls stop too, whichever
 * clients used it up. Sweeps do not stop there, but slow down, because their `slowsAt` is below their `stopsAt`.
 */
export const CALL_PURPOSES = {
  /** Work on a change that a user waits for. */
  interactive: { slowsAt: 1, stopsAt: 1, orgAt: Number.POSITIVE_INFINITY },
  /** Sweeps (periodic searches for CRM changes), which find changes whose messages were lost. */
  sweep: { slowsAt: 0.75, stopsAt: 0.95, orgAt: 0.95 },
  /** Backfill, catalog, orders and audit: no user waits for these calls. */
  bulk: { slowsAt: 0.6, stopsAt: 0.6, orgAt: 0.9 },
} as const satisfies Readonly<
  Record<string, { readonly slowsAt: number; readonly stopsAt: number; readonly orgAt: number }>
>;
export type CallPurpose = keyof typeof CALL_PURPOSES;
export const CALL_PURPOSE_NAMES = Object.keys(CALL_PURPOSES) as readonly CallPurpose[];

/** The fraction of an org's daily API calls that Lockstep may use, unless the tenant file sets another. */
export const DEFAULT_API_SHARE = 0.25;

/** API calls of the last day. `orgUse`: Salesforce's last count for all clients; null if no response reported it within a day. */
export type CrmUse = {
  readonly own: number;
  readonly orgUse: { readonly used: number; readonly limit: number } | null;
};

/** How the budget treats CRM calls: Lockstep makes them at once (`goes`), only every half hour (`slows`), or not now (`waits`). */
export type BudgetVerdict = 'goes' | 'slows' | 'waits';

/**
 * While the budget is nearly used up, work makes several CRM calls together and then waits. This is the shortest time, in ms, between two
 * such groups of calls.
 */
export const SLOW_EVERY_MS = 1_800_000;
/**
 * The time, in ms, after which waiting work checks the budget again. Until then, calls may have become older than a day, so that they do
 * not count any more, or an operator may have raised the share.
 */
export const BUDGET_RETRY_MS = 600_000;

/**
 * How many API calls a day Lockstep may make in an org; null if the org's limit is unknown. `share`: the fraction of the org's limit, from
 * 0 to 1.
 */
export function allowanceOf({ orgUse }: CrmUse, share: number): number | null {
  return orgUse === null ? null : Math.floor(orgUse.limit * share);
}

/**
 * The number of Lockstep's own CRM calls within the last day, but at most Salesforce's last count for all clients. Lockstep's own count can
 * be higher than that if Salesforce reset its count during the day. Calls from before the reset do not use up the org's limit any more.
 */
export function ownOf({ own, orgUse }: CrmUse): number {
  return orgUse === null ? own : Math.min(own, orgUse.used);
}

/**
 * Whether CRM calls for a purpose go at once, slow down or wait, by the daily budget. If the org's limit is unknown, they go at once.
 * `share`: the fraction of the org's daily calls that Lockstep may use, from 0 to 1.
 */
export function budgetVerdict(use: CrmUse, share: number, purpose: CallPurpose): BudgetVerdict {
  const allowance = allowanceOf(use, share);
  if (use.orgUse === null || allowance === null) return 'goes';
  const { slowsAt, stopsAt, orgAt } = CALL_PURPOSES[purpose];
  const own = ownOf(use);
  const isOrgLow = use.orgUse.used >= use.orgUse.limit * orgAt;
  if (own >= allowance * stopsAt || (isOrgLow && slowsAt === stopsAt)) return 'waits';
  return own >= allowance * slowsAt || isOrgLow ? 'slows' : 'goes';
}

/**
 * How long work waits before its next CRM calls, in milliseconds. `lastAt`: when the work made its last calls, ISO; null if unknown. `at`:
 * the present time, ISO.
 */
export function budgetWaitMs(verdict: BudgetVerdict, lastAt: string | null, at: string): number {
  if (verdict === 'goes') return 0;
  if (verdict === 'waits') return BUDGET_RETRY_MS;
  if (lastAt === null) return 0;
  return Math.max(0, Date.parse(lastAt) + SLOW_EVERY_MS - Date.parse(at));
}
