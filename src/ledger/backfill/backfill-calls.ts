import { inTransaction, plainly, type Store } from '../core/store.ts';
import {
  advanceBackfill,
  closeBackfill,
  countBackfill,
  noteFound,
  noteMatched,
  noteWoken,
  openBackfill,
  toMatch,
} from './backfill.ts';
import type { BackfillLedger } from './backfill-ledger.ts';

export function backfillCalls(store: Store): BackfillLedger {
  return {
    openBackfill: (tenant, state, at) => inTransaction(store, (tx) => openBackfill(tx, tenant, state, at)),
    noteFound: (tenant, found, state, at) =>
      inTransaction(store, (tx) => noteFound(tx, tenant, found, state, at)),
    toMatch: (tenant, limit) => plainly(() => toMatch(store, tenant, limit)),
    noteMatched: (tenant, vendorId, candidates) =>
      inTransaction(store, (tx) => noteMatched(tx, tenant, vendorId, candidates)),
    advanceBackfill: (tenant, order, at) =>
      inTransaction(store, (tx) => advanceBackfill(tx, tenant, order, at)),
    noteWoken: (tenant, side) => plainly(() => noteWoken(store, tenant, side)),
    countBackfill: (tenant) => plainly(() => countBackfill(store, tenant)),
    closeBackfill: (tenant, state, at) => inTransaction(store, (tx) => closeBackfill(tx, tenant, state, at)),
  };
}
