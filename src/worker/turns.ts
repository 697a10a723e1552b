/** Spaces out retries of a tenant's failed records. */
export interface Turns {
  /** Reserves the tenant's next retry slot and returns the milliseconds until it. */
  next(tenant: string, nowMs: number): number;
}

/**
 * Spaces out retries of failed records: `perSecond` retries of a tenant a second. A failed record costs Temporal as much as a successful
 * one, so without spacing a failing tenant would take capacity from others. No record waits longer than `longestMs`. Create one for each
 * worker.
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
