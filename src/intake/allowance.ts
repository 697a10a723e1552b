/** A rate at which records may be processed: `perSecond`, and after a pause up to `burst` at once. */
export type Rate = { readonly perSecond: number; readonly burst: number };

export interface Allowance {
  readonly burst: number;
  /**
   * Takes `count` permits and returns 0; or takes none and returns the wait in ms. More than `burst` permits at once are given only when
   * the bucket is full.
   */
  take(count: number, nowMs: number): number;
}

/** Makes a token bucket, full at first. `nowMs` is any monotonic clock. */
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
