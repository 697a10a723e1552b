import { AsyncLocalStorage } from 'node:async_hooks';
import type { Secret } from '../platform/secret.ts';

/** Which key of the vendor goes with a request. */
export type KeyScope = {
  /** The key of the work that asks; without one, that of the tenant file. */
  readonly apiKey: (own: Secret) => string | Promise<string>;
  readonly withKey: <T>(apiKey: string, run: () => Promise<T>) => Promise<T>;
};

/** One for each worker: a key goes with what is asked within `withKey`, and with nothing beside it. */
export function createKeyScope(): KeyScope {
  const scope = new AsyncLocalStorage<string>();
  return {
    apiKey: (own) => scope.getStore() ?? own.reveal(),
    withKey: (apiKey, run) => scope.run(apiKey, run),
  };
}
