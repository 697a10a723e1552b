import type { QuotaKnown } from '../../ledger/quota/quota-ledger.ts';
import type { PlanTotals } from './plan-totals.ts';
import type { PlannedAction } from './planned-record.ts';

/**
 * Requests that carrying an action out takes, with the reading that it rests on and the one that shows its echo. CRM calls are
 * shares of calls: reads travel a hundred at a time, updates and reports too, a create of a deal by itself.
 */
const COSTS: Readonly<Record<PlannedAction, { readonly vendor: number; readonly crm: number }>> = {
  'create-at-vendor': { vendor: 2, crm: 0.03 },
  'create-in-crm': { vendor: 3, crm: 4 },
  'update-at-vendor': { vendor: 3, crm: 0.03 },
  'update-in-crm': { vendor: 1, crm: 0.04 },
  'update-both': { vendor: 3, crm: 0.04 },
  link: { vendor: 2, crm: 0.03 },
  conflict: { vendor: 1, crm: 0.02 },
  park: { vendor: 1, crm: 0.02 },
  'not-shared': { vendor: 0, crm: 0.01 },
  nothing: { vendor: 0, crm: 0.01 },
  unknown: { vendor: 1, crm: 0.01 },
};

/** A record of the vendor is read to be matched, and where it names no opportunity the CRM is asked by the tenant's keys. */
const MATCHING = { vendor: 1, crm: 1 } as const;

/** What carrying a plan out takes, estimated. */
export type PlanCost = {
  readonly vendorCalls: number;
  readonly crmCalls: number;
  /** At the vendor's quota as it is known, and at the tenant's rate. */
  readonly seconds: number;
  /** What the time is bounded by. */
  readonly boundBy: 'rate' | 'quota';
};

/** Null where no answer has told the quota yet: then the tenant's rate alone counts. */
export type QuotaLeft = Pick<QuotaKnown, 'limit' | 'remaining' | 'until' | 'seconds'> | null;

/** What carrying out so many of each action costs, and matching what is matched first. `now`: ISO. Pure. */
export function costOf(
  { actions, matched }: Pick<PlanTotals, 'actions'> & Partial<Pick<PlanTotals, 'matched'>>,
  quota: QuotaLeft,
  { ratePerSecond, now }: { readonly ratePerSecond: number; readonly now: string },
): PlanCost {
  const all = Object.entries(actions) as readonly (readonly [PlannedAction, number])[];
  const { records: read = 0, byKeys = 0 } = matched ?? {};
  const first = { vendor: MATCHING.vendor * read, crm: MATCHING.crm * byKeys };
  const sum = (side: 'vendor' | 'crm'): number =>
    Math.ceil(all.reduce((total, [action, records]) => total + records * COSTS[action][side], first[side]));
  const vendorCalls = sum('vendor');
  const byRate = Math.ceil(vendorCalls / ratePerSecond);
  const byQuota = secondsByQuota(vendorCalls, quota, now);
  return {
    vendorCalls,
    crmCalls: sum('crm'),
    seconds: Math.max(byRate, byQuota),
    boundBy: byQuota > byRate ? 'quota' : 'rate',
  };
}

/** Whole windows that have to pass until so many requests have been let through. */
function secondsByQuota(calls: number, quota: QuotaLeft, now: string): number {
  if (quota === null || quota.limit === null || quota.limit === 0 || quota.remaining === null) return 0;
  const isOver = quota.until <= now;
  const left = isOver ? quota.limit : quota.remaining;
  if (calls <= left) return 0;
  const resetSeconds = isOver ? quota.seconds : Math.ceil((Date.parse(quota.until) - Date.parse(now)) / 1000);
  const further = Math.ceil((calls - left) / quota.limit) - 1;
  return resetSeconds + further * quota.seconds;
}
