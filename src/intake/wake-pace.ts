import { setTimeout as delay } from 'node:timers/promises';
import { type Allowance, createAllowance } from './allowance.ts';
import type { DeliveryLimits } from './delivery.ts';

/** Records of a mass change that are woken before the pace is asked again. */
const WOKEN_AT_ONCE = 20;
/** A tenant's remotes prove good while its first records are under way: the others are not kept waiting for long. */
const ASK_AGAIN_MS = 500;

/** How fast one tenant's records are woken, usually and until its remotes have proved good. */
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

/** Wakes all at once where so many may be, or the lane takes them, else some after the others. */
export async function wakeAtPace(pace: WakePace, keys: readonly string[], wake: Wake): Promise<void> {
  // Lone changes are not worth a question.
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

/** Whether so many may go at once, which are taken then. */
function areTaken(allowance: Allowance, count: number): boolean {
  return count <= allowance.burst && allowance.take(count, performance.now()) === 0;
}
