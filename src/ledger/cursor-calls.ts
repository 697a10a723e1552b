import { forgetCursors, moveCursor, moveCursors, readCursor, readCursors, saveCursor } from './cursors.ts';
import type { Ledger } from './ledger.ts';
import { unseenRows } from './seen-rows.ts';
import { despiteRaces, plainly, type Store } from './store.ts';

type CursorCalls =
  | 'moveCursor'
  | 'moveCursors'
  | 'cursor'
  | 'cursors'
  | 'saveCursor'
  | 'forgetCursors'
  | 'unseenRows';

/** Where streams were read up to, and what they have shown. */
export function cursorCalls(store: Store): Pick<Ledger, CursorCalls> {
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
  };
}
