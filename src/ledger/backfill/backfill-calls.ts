import { plainCalls, type Store, transactionCalls } from '../core/store.ts';
import {
  advanceBackfill,
  closeBackfill,
  countBackfill,
  matchLater,
  noteFound,
  noteMatched,
  noteWoken,
  openBackfill,
  toMatch,
} from './backfill.ts';
import type { BackfillLedger } from './backfill-ledger.ts';

export function backfillCalls(store: Store): BackfillLedger {
  return {
    ...plainCalls(store, { toMatch, matchLater, noteWoken, countBackfill }),
    ...transactionCalls(store, { openBackfill, noteFound, noteMatched, advanceBackfill, closeBackfill }),
  };
}
