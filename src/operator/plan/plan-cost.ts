import type { QuotaKnown } from '../../ledger/quota/quota-ledger.ts';
import type { PlanTotals } from './plan-totals.ts';
import type { PlannedAction } from './planned-record.ts';

/**
 * How many requests each planned action takes, including its reads. CRM calls are fractions, because a hundred records share one call.
 * `events`: how many change events the CRM sends after the write, one for each changed row. For a new deal, one account, one contact, one
 * role and two lines are assumed.
 */
const COSTS: Readonly<
  Record<PlannedAction, { readonly vendor: number; readonly crm: number; readonly events: number }>
> = {
  'create-at-vendor': { vendor: 2, crm: 0.03, events: 1 },
  'create-in-crm': { vendor: 3, crm: 4, events: 6 },
  'update-at-vendor': { vendor: 3, crm: 0.03, events: 0 },
  'update-in-crm': { vendor: 1, crm: 0.04, events: 1 },
  'update-both': { vendor: 3, crm: 0.04, events: 1 },
  link: { vendor: 2, crm: 0.03, events: 1 },
  conflict: { vendor: 1, crm: 0.02, events: 0 },
  park: { vendor: 1, crm: 0.02, events: 0 },
  'not-shared': { vendor: 0, crm: 0.01, events: 0 },
  nothing: { vendor: 0, crm: 0.01, events: 0 },
  unknown: { vendor: 1, crm: 0.01, events: 0 },
};

/**
 * How many requests it takes to match a vendor record that is not linked yet: one vendor read and, if the record names no opportunity, one
 * CRM query by the tenant's matching keys.
 */
const MATCHING = { vendor: 1, crm: 1 } as const;

export type PlanCost = {
  readonly vendorCalls: number;
  readonly crmCalls: number;
  /** How many change events the CRM would send because of the planned writes, if the tenant uses change events. */
  readonly changeEvents: number;
  /**
   * The estimated time to do the planned work, in seconds: by the vendor's known quota or by the tenant's request rate, whichever takes
   * longer.
   */
  readonly seconds: number;
  /** Which of the two limits determines the estimated time: the tenant's request rate or the vendor's quota. */
  readonly boundBy: 'rate' | 'quota';
};

/** The known state of the vendor's quota. Null before the vendor's first answer; then only the tenant's request rate counts. */
export type QuotaLeft = Pick<QuotaKnown, 'limit' | 'remaining' | 'until' | 'seconds'> | null;

/** Estimates the cost of the planned actions, and of matching vendor records before these actions. `now`: ISO. Pure. */
export function costOf(
  { actions, matched }: Pick<PlanTotals, 'actions'> & Partial<Pick<PlanTotals, 'matched'>>,
  quota: QuotaLeft,
  { ratePerSecond, now }: { readonly ratePerSecond: number; readonly now: string },
): PlanCost {
  const all = Object.entries(actions) as readonly (readonly [PlannedAction, number])[];
  const { records: read = 0, byKeys = 0 } = matched ?? {};
  const first = { vendor: MATCHING.vendor * read, crm: MATCHING.crm * byKeys };
  const sum = (what: 'vendor' | 'crm' | 'events', before: number): number =>
    Math.ceil(all.reduce((total, [action, records]) => total + records * COSTS[action][what], before));
  const vendorCalls = sum('vendor', first.vendor);
  const byRate = Math.ceil(vendorCalls / ratePerSecond);
  const byQuota = secondsByQuota(vendorCalls, quota, now);
  return {
    vendorCalls,
    crmCalls: sum('crm', first.crm),
    changeEvents: sum('events', 0),
    seconds: Math.max(byRate, byQuota),
    boundBy: byQuota > byRate ? 'quota' : 'rate',
  };
}

/**
 * How many seconds it takes to send `calls` requests within the vendor's quota. Once the quota is used up, the next requests wait until it
 * is reset. Zero if the quota is unknown or large enough.
 */
function secondsByQuota(calls: number, quota: QuotaLeft, now: string): number {
  if (quota === null || quota.limit === null || quota.limit === 0 || quota.remaining === null) return 0;
  const isOver = quota.until <= now;
  const left = isOver ? quota.limit : quota.remaining;
  if (calls <= left) return 0;
  const resetSeconds = isOver ? quota.seconds : Math.ceil((Date.parse(quota.until) - Date.parse(now)) / 1000);
  const further = Math.ceil((calls - left) / quota.limit) - 1;
  return resetSeconds + further * quota.seconds;
}
