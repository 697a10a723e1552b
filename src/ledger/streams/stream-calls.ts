import { despiteRaces, inTransaction, plainly, type Store } from '../core/store.ts';
import { forgetCursors, moveCursor, moveCursors, readCursor, readCursors, saveCursor } from './cursors.ts';
import { parkRows, streamReads } from './parked-rows.ts';
import { refusedRows, settleRows } from './refused-rows.ts';
import { unseenRows } from './seen-rows.ts';
import type { StreamLedger } from './stream-ledger.ts';
import { noteCodes, notedCodes } from './vendor-codes.ts';

export function streamCalls(store: Store): StreamLedger {
  return {
    moveCursor: (tenant, move, at) => plainly(() => moveCursor(store, tenant, move, at)),
    moveCursors: (tenant, moves, at) => despiteRaces(() => moveCursors(store, tenant, moves, at)),
    cursor: (tenant, stream) => plainly(() => readCursor(store, tenant, stream)),
    cursors: async (tenant, streams) =>
      streams.length === 0 ? [] : plainly(() => readCursors(store, tenant, streams)),
    saveCursor: (tenant, stream, position, at) =>
      plainly(() => saveCursor(store, tenant, stream, position, at)),
    forgetCursors: (tenant, streams) => plainly(() => forgetCursors(store, tenant, streams)),
    unseenRows: (tenant, stream, rows) => plainly(() => unseenRows(store, tenant, stream, rows)),
    streamReads: (tenant) => plainly(() => streamReads(store, tenant)),
    parkRows: (tenant, stream, ids, at) => plainly(() => parkRows(store, tenant, stream, ids, at)),
    settleRows: (tenant, stream, outcomes, at) =>
      inTransaction(store, (tx) => settleRows(tx, tenant, stream, outcomes, at)),
    refusedRows: (tenant, stream, at, limit) => plainly(() => refusedRows(store, tenant, stream, at, limit)),
    noteCodes: (tenant, codes, at) => plainly(() => noteCodes(store, tenant, codes, at)),
    notedCodes: (tenant) => plainly(() => notedCodes(store, tenant)),
  };
}
