import { setTimeout as delay } from 'node:timers/promises';
import { type Allowance, createAllowance } from './allowance.ts';
import type { DeliveryLimits } from './delivery.ts';

/**
 * How many records' workflows are woken (signalled or started) as one group, before the rate is checked again. Applies if more records wait
 * than the rate allows at once.
 */
const WOKEN_AT_ONCE = 20;
/**
 * While records wait to be woken, Lockstep checks at this interval, in ms, whether the tenant's remote systems have become healthy, because
 * the rate is then higher.
 */
const ASK_AGAIN_MS = 500;

/**
 * The rates at which the workflows of a tenant's records are woken (signalled or started): the usual rate, and a lower rate until the
 * remote systems are known to be healthy.
 */
export type WakePace = {
  readonly usual: Allowance;
  readonly unproven: Allowance;
  readonly laneFrom: number;
  readonly isProven: () => Promise<boolean>;
};

export function createWakePace(
  { wakes, wakesUnproven, laneFrom }: Pick<DeliveryLimits, 'wakes' | 'wakesUnproven' | 'laneFrom'>,
  isProven: () => Promise<boolean>,
): WakePace {
  return {
    usual: createAllowance(wakes),
    unproven: createAllowance(wakesUnproven),
    laneFrom: laneFrom ?? Number.POSITIVE_INFINITY,
    isProven,
  };
}

type Wake = (some: readonly string[], how?: { readonly isBurst: true }) => Promise<void>;

/**
 * Wakes records (signals or starts their workflows) at the tenant's rate, in groups if there are many. Exception: many records that changed
 * together are all woken at once if the remote systems are healthy, because the lane (the workflow for many records) processes them.
 */
export async function wakeAtPace(pace: WakePace, keys: readonly string[], wake: Wake): Promise<void> {
  // A few records, which even the lower rate allows, are woken without a check of the remote systems' health.
  if (keys.length < pace.laneFrom && areTaken(pace.unproven, keys.length)) return wake(keys);
  for (let left = keys; left.length > 0; ) {
    const isProven = await pace.isProven();
    if (isProven && left.length >= pace.laneFrom) return wake(left, { isBurst: true });
    const allowance = isProven ? pace.usual : pace.unproven;
    const isWhole = areTaken(allowance, left.length);
    const count = isWhole ? left.length : Math.min(WOKEN_AT_ONCE, allowance.burst, left.length);
    const waitMs = isWhole ? 0 : allowance.take(count, performance.now());
    if (waitMs > 0) {
      await delay(Math.min(Math.ceil(waitMs), ASK_AGAIN_MS));
      continue;
    }
    await wake(left.slice(0, count));
    left = left.slice(count);
  }
}

/** Takes `count` permits to wake records, if there are enough. Returns whether it took them. */
function areTaken(allowance: Allowance, count: number): boolean {
  return count <= allowance.burst && allowance.take(count, performance.now()) === 0;
}
