import { endsWithin } from './ends-within.ts';

/** The maximum time, in ms, that a tenant's requests wait for a running search for an API key that the vendor accepts. */
const LONGEST_WAIT_MS = 5_000;

/**
 * A worker's running searches for an API key that the vendor accepts, by tenant. A search sends one request with each of the tenant's keys
 * in turn. Other requests of the tenant wait until it ends.
 */
export type KeySearches = {
  /** Makes the tenant's other requests wait for a running key search: Lockstep tries the tenant's API keys until the vendor accepts one. */
  readonly note: (tenant: string, search: Promise<unknown>) => void;
  /** Waits until no key search is running for the tenant, but at most a few seconds. */
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
      if (search !== undefined) await endsWithin(search, longestWaitMs);
    },
  };
}
