import { plainCalls, type Store, transactionCalls } from '../core/store.ts';
import type { KeyLedger } from './key-ledger.ts';
import { askForKey, dropKey, keepKey, proveKey, setKey, switchKey, vendorKeys } from './vendor-keys.ts';

export function keyCalls(store: Store): KeyLedger {
  return {
    ...plainCalls(store, { vendorKeys, proveKey }),
    ...transactionCalls(store, { askForKey, keepKey, switchKey, dropKey, setKey }),
  };
}
