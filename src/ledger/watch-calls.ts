import { catalogChanges } from './catalog-changes.ts';
import { plainly, type Store } from './store.ts';
import { noteCodes, notedCodes } from './vendor-codes.ts';
import type { WatchLedger } from './watch-ledger.ts';

/** What the ledger remembers of the vendor's side that is not as it was. */
export function watchCalls(store: Store): WatchLedger {
  return {
    noteCodes: (tenant, codes, at) => plainly(() => noteCodes(store, tenant, codes, at)),
    notedCodes: (tenant) => plainly(() => notedCodes(store, tenant)),
    catalogChanges: (tenant, refresh, objects, most) =>
      plainly(() => catalogChanges(store, tenant, refresh, objects, most)),
  };
}
