import type { Change } from './row.ts';
import { type Tables, tableOf } from './table.ts';

/** Remembers rows as they were, to undo what fails and to tell of what went well. */
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
    /** Does the work and undoes it: what it did is for the caller to keep. */
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
