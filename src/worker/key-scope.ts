import { AsyncLocalStorage } from 'node:async_hooks';
import type { Secret } from '../platform/secret.ts';

/** Chooses the vendor API key for a request. */
export type KeyScope = {
  /** The key set by `withKey`; otherwise the tenant file's key. */
  readonly apiKey: (own: Secret) => string | Promise<string>;
  readonly withKey: <T>(apiKey: string, run: () => Promise<T>) => Promise<T>;
};

/** Creates a worker's key scope: a key applies to requests within `withKey` only. */
export function createKeyScope(): KeyScope {
  const scope = new AsyncLocalStorage<string>();
  return {
    apiKey: (own) => scope.getStore() ?? own.reveal(),
    withKey: (apiKey, run) => scope.run(apiKey, run),
  };
}
