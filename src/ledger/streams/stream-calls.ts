import { plainCalls, plainly, racingCalls, type Store, transactionCalls } from '../core/store.ts';
import {
  closePart,
  forgetCursors,
  holdCursor,
  moveCursor,
  moveCursors,
  readCursor,
  readCursors,
  saveCursor,
} from './cursors.ts';
import { parkRows, streamReads } from './parked-rows.ts';
import { refusedRows, settleRows } from './refused-rows.ts';
import { unseenRows } from './seen-rows.ts';
import type { StreamLedger } from './stream-ledger.ts';
import { noteCodes, notedCodes } from './vendor-codes.ts';

export function streamCalls(store: Store): StreamLedger {
  return {
    ...plainCalls(store, {
      moveCursor,
      cursor: readCursor,
      saveCursor,
      forgetCursors,
      streamReads,
      parkRows,
      refusedRows,
      noteCodes,
      notedCodes,
    }),
    ...racingCalls(store, { moveCursors, holdCursor, closePart }),
    ...transactionCalls(store, { settleRows }),
    cursors: async (tenant, streams) =>
      streams.length === 0 ? [] : plainly(() => readCursors(store, tenant, streams)),
    unseenRows: (tenant, stream, rows) => plainly(() => unseenRows(store, tenant, stream, rows)),
  };
}
