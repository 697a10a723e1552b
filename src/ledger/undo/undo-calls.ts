import { plainCalls, type Store, transactionCalls } from '../core/store.ts';
import { closeUndo, countUndo, giveBack, nextToUndo, noteUndoWoken, openUndo, skipUndo, undoToWake } from './undo.ts';
import type { UndoLedger } from './undo-ledger.ts';

export function undoCalls(store: Store): UndoLedger {
  return {
    ...plainCalls(store, { undoToWake, noteUndoWoken, countUndo, skipUndo }),
    ...transactionCalls(store, { openUndo, nextToUndo, giveBack, closeUndo }),
  };
}
