import type { Sealing } from '../platform/sealing.ts';
import { useDataKeys } from './data-keys.ts';
import { exportRows } from './export-rows.ts';
import type { Ledger } from './ledger.ts';
import { reseal, sealingKeysInUse } from './reseal.ts';
import { plainly, type Store } from './store.ts';

export function sealingCalls(store: Store): Pick<Ledger, 'useDataKeys' | 'sealingKeysInUse'> {
  return {
    useDataKeys: () => plainly(() => useDataKeys(store)),
    sealingKeysInUse: () => plainly(() => sealingKeysInUse(store)),
  };
}

/** What is read or written in pages. */
export function pagedCalls(
  store: Store,
  newest: () => Promise<Sealing>,
): Pick<Ledger, 'exportTenant' | 'reseal'> {
  return {
    exportTenant: (tenant) => exportRows(store, tenant),
    async *reseal() {
      yield* reseal(store, await newest());
    },
  };
}
