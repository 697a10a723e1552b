import { AsyncLocalStorage } from 'node:async_hooks';
import type { Secret } from '../platform/secret.ts';

/** Chooses the vendor API key for a request. */
export type KeyScope = {
  /** Returns the key that `withKey` has set. Without such a key, returns `own`, the key of the tenant file. */
  readonly apiKey: (own: Secret) => string | Promise<string>;
  readonly withKey: <T>(apiKey: string, run: () => Promise<T>) => Promise<T>;
};

/** Creates a worker's key scope. A key set by `withKey` applies only to requests inside its callback. */
export function createKeyScope(): KeyScope {
  const scope = new AsyncLocalStorage<string>();
  return {
    apiKey: (own) => scope.getStore() ?? own.reveal(),
    withKey: (apiKey, run) => scope.run(apiKey, run),
  };
}
