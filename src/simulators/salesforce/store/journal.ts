import type { Change, Row } from './row.ts';

/** Rows by id, by object. */
export type Tables = Map<string, Map<string, Row>>;

/** The table of an object, made when it is first asked for. */
export function tableOf(tables: Tables, type: string): Map<string, Row> {
  const known = tables.get(type);
  if (known !== undefined) return known;
  const fresh = new Map<string, Row>();
  tables.set(type, fresh);
  return fresh;
}

type Entry = { readonly type: string; readonly id: string; readonly before: Row | undefined };

/** Remembers rows as they were, to undo what fails and to tell of what went well. */
export function createJournal(tables: Tables) {
  let entries: Entry[] = [];
  let depth = 0;
  const listeners: ((changes: readonly Change[]) => void)[] = [];

  function undo(mark: number): void {
    for (const { type, id, before } of entries.splice(mark).reverse()) {
      if (before === undefined) tableOf(tables, type).delete(id);
      else tableOf(tables, type).set(id, before);
    }
  }

  function publish(): void {
    const changes = summarize(tables, entries);
    entries = [];
    if (changes.length > 0) for (const listener of listeners) listener(changes);
  }

  return {
    note: (type: string, id: string): void => {
      entries.push({ type, id, before: tableOf(tables, type).get(id) });
    },
    onCommit: (listener: (changes: readonly Change[]) => void): void => {
      listeners.push(listener);
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

/** One change a row, from what it was first to what it is now. */
function summarize(tables: Tables, entries: readonly Entry[]): readonly Change[] {
  const first = new Map<string, Change>();
  for (const { type, id, before } of entries) {
    const after = tableOf(tables, type).get(id);
    if (after !== undefined && !first.has(id)) first.set(id, { type, id, before, after });
  }
  return [...first.values()];
}
