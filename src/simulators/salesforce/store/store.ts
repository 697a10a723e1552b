import type { Schema } from '../schema/types.ts';
import { makeId } from './ids.ts';

export type Value = string | number | boolean | null;

/**
 * A row: every field of its object by API name, with values as the API shows them. Keys that begin with `$` are the
 * simulator's own and no field. Rows are never changed in place.
 */
export type Row = Readonly<Record<string, Value>>;

/** What a transaction did to one row: `before` is undefined for a new one. */
export type Change = {
  readonly type: string;
  readonly id: string;
  readonly before: Row | undefined;
  readonly after: Row;
};

export type StoreState = {
  readonly pod: string;
  readonly counters: Readonly<Record<string, number>>;
  readonly rows: Readonly<Record<string, readonly Row[]>>;
};

/** The org's rows, deleted ones included, in order of creation. */
export interface Store {
  readonly schema: Schema;
  get(type: string, id: string): Row | undefined;
  rows(type: string): readonly Row[];
  put(type: string, row: Row): void;
  /** A fresh 18-character id; one that was given is never given again, not even after `clear`. */
  nextId(keyPrefix: string): string;
  /** Rows numbered from 1 within a type, for auto-number names. */
  nextNumber(type: string): number;
  /**
   * Runs `work` all-or-none: when it throws, every row is as before. Transactions nest; listeners hear of the changes
   * when the outermost one ends well.
   */
  transact<T>(work: () => T): T;
  onCommit(listener: (changes: readonly Change[]) => void): void;
  clear(): void;
  snapshot(): StoreState;
  load(state: StoreState): void;
}

/**
 * Makes an empty store. `pod` is the two characters that this org's ids carry after the key prefix; with a random
 * `firstNumber` no two orgs give the same ids.
 */
export function createStore(schema: Schema, initialPod: string, firstNumber: number): Store {
  let pod = initialPod;
  let counters = new Map<string, number>();
  let tables = new Map<string, Map<string, Row>>();
  let journal: { type: string; id: string; before: Row | undefined }[] = [];
  let depth = 0;
  const listeners: ((changes: readonly Change[]) => void)[] = [];

  function table(type: string): Map<string, Row> {
    const known = tables.get(type);
    if (known !== undefined) return known;
    const fresh = new Map<string, Row>();
    tables.set(type, fresh);
    return fresh;
  }

  function undo(mark: number): void {
    for (const { type, id, before } of journal.splice(mark).reverse()) {
      if (before === undefined) table(type).delete(id);
      else table(type).set(id, before);
    }
  }

  function publish(): void {
    const first = new Map<string, Change>();
    for (const { type, id, before } of journal) {
      const after = table(type).get(id);
      if (after !== undefined && !first.has(id)) first.set(id, { type, id, before, after });
    }
    journal = [];
    const changes = [...first.values()];
    if (changes.length > 0) for (const listener of listeners) listener(changes);
  }

  function count(key: string, first: number): number {
    const next = (counters.get(key) ?? first) + 1;
    counters.set(key, next);
    return next;
  }

  return {
    schema,
    get: (type, id) => table(type).get(id),
    rows: (type) => [...table(type).values()],
    put: (type, row) => {
      const id = String(row['Id']);
      journal.push({ type, id, before: table(type).get(id) });
      table(type).set(id, row);
    },
    nextId: (keyPrefix) => makeId(keyPrefix, pod, count(keyPrefix, firstNumber)),
    nextNumber: (type) => count(`#${type}`, 0),
    transact: (work) => {
      const mark = journal.length;
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
    onCommit: (listener) => {
      listeners.push(listener);
    },
    clear: () => {
      tables = new Map();
    },
    snapshot: () => ({
      pod,
      counters: Object.fromEntries(counters),
      rows: Object.fromEntries([...tables].map(([type, rows]) => [type, [...rows.values()]])),
    }),
    load: (state) => {
      pod = state.pod;
      counters = new Map(Object.entries(state.counters));
      tables = new Map(
        Object.entries(state.rows).map(([type, rows]) => [
          type,
          new Map(rows.map((row) => [String(row['Id']), { ...defaultsOf(schema, type), ...row }])),
        ]),
      );
    },
  };
}

/** Values for fields that the package gained since a state was saved. */
function defaultsOf(schema: Schema, type: string): Row {
  const fields = [...(schema.object(type)?.fields.values() ?? [])];
  return Object.fromEntries(fields.map((field) => [field.name, field.defaultValue]));
}
