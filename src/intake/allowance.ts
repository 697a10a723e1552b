/** So much a second, and `burst` at once after a time of rest. */
export type Rate = { readonly perSecond: number; readonly burst: number };

export interface Allowance {
  readonly burst: number;
  /**
   * 0 where `count` was taken; else the milliseconds until it can be, and nothing was taken. More than a burst is taken
   * of a full allowance, and paid back by waiting longer.
   */
  take(count: number, nowMs: number): number;
}

/** What one sender may still send. Full at first; `nowMs` is any clock that only goes forward. */
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
