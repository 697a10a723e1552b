/** Spreads out retries of a tenant's failed records. */
export interface Turns {
  /** Reserves the next time at which a record of the tenant may be retried. Returns the milliseconds until then. */
  next(tenant: string, nowMs: number): number;
}

/**
 * Creates the delays between retries of failed records. Each tenant gets at most `perSecond` retries a second, so that a tenant whose
 * remote systems fail takes no capacity from others; but no record waits longer than `longestMs`. Create one for each worker.
 */
export function createTurns({
  perSecond,
  longestMs,
}: {
  readonly perSecond: number;
  readonly longestMs: number;
}): Turns {
  const taken = new Map<string, number>();
  return {
    next: (tenant, nowMs) => {
      const atMs = Math.max(nowMs, taken.get(tenant) ?? nowMs) + 1_000 / perSecond;
      const waitMs = Math.min(atMs - nowMs, longestMs);
      taken.set(tenant, nowMs + waitMs);
      return waitMs;
    },
  };
}
