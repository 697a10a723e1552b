import { setTimeout as delay } from 'node:timers/promises';

/** A vendor that is slow to say which key it takes holds nothing up for longer. */
const LONGEST_WAIT_MS = 5_000;

/**
 * The searches of one worker for keys that the vendor takes, in the place of those that it refused, by the tenant. What is sent
 * meanwhile would go with a key that is known to be dead.
 */
export type KeySearches = {
  /** Has others wait while it goes on. */
  readonly note: (tenant: string, search: Promise<unknown>) => void;
  /** Resolves when no search goes on for the tenant, after some seconds at most. */
  readonly over: (tenant: string) => Promise<void>;
};

export function createKeySearches(longestWaitMs: number = LONGEST_WAIT_MS): KeySearches {
  const running = new Map<string, Promise<void>>();
  return {
    note: (tenant, search) => {
      const over = search.then(
        () => {},
        () => {},
      );
      running.set(tenant, over);
      void over.then(() => {
        if (running.get(tenant) === over) running.delete(tenant);
      });
    },
    over: async (tenant) => {
      const search = running.get(tenant);
      if (search === undefined) return;
      const waited = new AbortController();
      const limit = delay(longestWaitMs, undefined, { signal: waited.signal }).catch(() => {});
      await Promise.race([search, limit]);
      waited.abort();
    },
  };
}
