import { inTransaction, plainly, type Store } from '../core/store.ts';
import type { KeyLedger } from './key-ledger.ts';
import { askForKey, dropKey, keepKey, proveKey, setKey, switchKey, vendorKeys } from './vendor-keys.ts';

export function keyCalls(store: Store): KeyLedger {
  return {
    vendorKeys: (tenant) => plainly(() => vendorKeys(store, tenant)),
    askForKey: (tenant, at) => inTransaction(store, (tx) => askForKey(tx, tenant, at)),
    keepKey: (tenant, key, at) => inTransaction(store, (tx) => keepKey(tx, tenant, key, at)),
    switchKey: (tenant, hashedKey, at) => inTransaction(store, (tx) => switchKey(tx, tenant, hashedKey, at)),
    proveKey: (tenant, hashedKey, at) => plainly(() => proveKey(store, tenant, hashedKey, at)),
    dropKey: (tenant, hashedKey) => inTransaction(store, (tx) => dropKey(tx, tenant, hashedKey)),
    setKey: async (tenant, apiKey, at) => {
      await plainly(() => store.sealer.fetch(tenant));
      return inTransaction(store, (tx) => setKey(tx, tenant, apiKey, at));
    },
  };
}
