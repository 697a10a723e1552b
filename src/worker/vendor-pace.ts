import { setTimeout as delay } from 'node:timers/promises';
import type { VendorPace } from '../../activities/support/deps.ts';

/**
 * Keeps what the lanes of a worker ask of each tenant's vendor to the tenant's rate, one request after the other, and leaves room for
 * what its other activities ask, which Temporal's queue holds to the same rate.
 */
export function createVendorPace(
  nowMs: () => number = () => performance.now(),
  pause: (ms: number, signal: AbortSignal) => Promise<unknown> = (ms, signal) =>
    delay(ms, undefined, { signal }),
): VendorPace {
  const nextMs = new Map<string, number>();
  /** The next turn of this tenant, which is then taken. */
  const take = (tenant: string, perSecond: number): number => {
    const atMs = Math.max(nowMs(), nextMs.get(tenant) ?? Number.NEGATIVE_INFINITY);
    nextMs.set(tenant, atMs + 1_000 / perSecond);
    return atMs;
  };
  return {
    note: (tenant, perSecond) => void take(tenant, perSecond),
    turn: async (tenant, perSecond, signal) => {
      const waitMs = take(tenant, perSecond) - nowMs();
      if (waitMs > 0) await pause(waitMs, signal);
    },
  };
}
