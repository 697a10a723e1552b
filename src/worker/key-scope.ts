import { AsyncLocalStorage } from 'node:async_hooks';
import type { Secret } from '../platform/secret.ts';

/** Decides which API key a vendor request contains. */
export type KeyScope = {
  /**
   * The vendor API key for a request. Inside the callback of `withKey`, it is the key that `withKey` was given. That key comes from the
   * ledger (Lockstep's PostgreSQL database), which stores a tenant's present key and other keys to try if the vendor refuses it. Elsewhere,
   * it is `own`, the key in the tenant file.
   */
  readonly apiKey: (own: Secret) => string | Promise<string>;
  readonly withKey: <T>(apiKey: string, run: () => Promise<T>) => Promise<T>;
};

/**
 * Makes a worker's key scope, which decides which API key a vendor request contains. A key that `withKey` sets applies only to requests
 * inside its callback.
 */
export function createKeyScope(): KeyScope {
  const scope = new AsyncLocalStorage<string>();
  return {
    apiKey: (own) => scope.getStore() ?? own.reveal(),
    withKey: (apiKey, run) => scope.run(apiKey, run),
  };
}
