/** A rate at which records may be processed: `perSecond` on average, and up to `burst` at once after a pause. */
export type Rate = { readonly perSecond: number; readonly burst: number };

export interface Allowance {
  readonly burst: number;
  /**
   * Takes `count` permits and returns 0. If too few are left, takes none and returns how many ms to wait. A `count` above `burst` is
   * allowed only while all permits are free.
   */
  take(count: number, nowMs: number): number;
}

/**
 * Makes a limiter (token bucket) that gives permits at a rate. At first, all `burst` permits are free. The parameter `nowMs` of `take` is
 * the time of any monotonic clock, in ms.
 */
export function createAllowance({ perSecond, burst }: Rate): Allowance {
  let left = burst;
  let atMs = Number.NEGATIVE_INFINITY;
  return {
    burst,
    take: (count, nowMs) => {
      left = Math.min(burst, left + ((nowMs - atMs) / 1000) * perSecond);
      atMs = nowMs;
      const missing = Math.min(count, burst) - left;
      if (missing > 0) return (missing / perSecond) * 1000;
      left -= count;
      return 0;
    },
  };
}
