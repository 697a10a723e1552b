/** A rate at which records may be processed: `perSecond`, and after a pause up to `burst` at once. */
export type Rate = { readonly perSecond: number; readonly burst: number };

export interface Allowance {
  readonly burst: number;
  /**
   * Takes `count` permits and returns 0. If too few are left, takes none and returns how many ms to wait. More than `burst` permits at once
   * are given only when none is taken.
   */
  take(count: number, nowMs: number): number;
}

/** Makes a limiter (token bucket) that gives permits at a rate; at first, all `burst` permits are free. `nowMs` is any monotonic clock. */
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
