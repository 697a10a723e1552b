import type { Change } from './row.ts';
import { type Tables, tableOf } from './table.ts';

/** Remembers previous rows, to undo failed work and to report the changes of successful work. */
export function createJournal(tables: Tables) {
  let entries: Change[] = [];
  let depth = 0;
  const listeners: ((changes: readonly Change[]) => void)[] = [];

  function undo(mark: number): void {
    for (const { type, id, before } of entries.splice(mark).reverse()) {
      if (before === undefined) tableOf(tables, type).delete(id);
      else tableOf(tables, type).set(id, before);
    }
  }

  function publish(): void {
    const changes = entries;
    entries = [];
    if (changes.length > 0) for (const listener of listeners) listener(changes);
  }

  return {
    note: (change: Change): void => {
      entries.push(change);
    },
    onCommit: (listener: (changes: readonly Change[]) => void): void => {
      listeners.push(listener);
    },
    /** Runs the work and undoes it. The caller keeps its changes. */
    rehearse: <T>(work: () => T): { readonly result: T; readonly changes: readonly Change[] } => {
      const mark = entries.length;
      depth += 1;
      try {
        const result = work();
        return { result, changes: entries.slice(mark) };
      } finally {
        undo(mark);
        depth -= 1;
      }
    },
    transact: <T>(work: () => T): T => {
      const mark = entries.length;
      depth += 1;
      try {
        const result = work();
        if (depth === 1) publish();
        return result;
      } catch (error) {
        undo(mark);
        throw error;
      } finally {
        depth -= 1;
      }
    },
  };
}
