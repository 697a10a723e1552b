/** Gives the records of one tenant that failed their turns to come again. */
export interface Turns {
  /** Milliseconds until the next turn of this tenant, which is then taken. */
  next(tenant: string, nowMs: number): number;
}

/**
 * Work that fails comes again, and costs Temporal as much as work that succeeds: while the remotes of a tenant answer nothing
 * good, its records come again so many a second, one after the other, however many they are, and take nothing from its
 * neighbours. One that has `longestMs` of others before it waits no longer. One for each worker.
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
