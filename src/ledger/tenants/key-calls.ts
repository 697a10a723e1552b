import { inTransaction, plainCalls, plainly, type Store, transactionCalls } from '../core/store.ts';
import type { KeyLedger } from './key-ledger.ts';
import { askForKey, dropKey, keepKey, proveKey, setKey, switchKey, vendorKeys, waitingKeysOf } from './vendor-keys.ts';

export function keyCalls(store: Store): KeyLedger {
  return {
    ...plainCalls(store, { vendorKeys, waitingKeysOf, proveKey }),
    ...transactionCalls(store, { askForKey, keepKey, switchKey, dropKey }),
    setKey: async (tenant, apiKey, at) => {
      await plainly(() => store.sealer.fetch(tenant));
      return inTransaction(store, (tx) => setKey(tx, tenant, apiKey, at));
    },
  };
}
