/** Spaces out retries of a tenant's failed records. */
export interface Turns {
  /** Milliseconds until the tenant's next retry slot, which is then taken. */
  next(tenant: string, nowMs: number): number;
}

/**
 * Creates the retry slots of failed records. A failed record costs Temporal as much as a successful one, so a tenant's retries come one
 * after the other, `perSecond` of them, and other tenants keep their capacity. No record waits longer than `longestMs`. One for each
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
