import type { FieldDef, Schema } from '../schema/types.ts';
import { failure } from './failure.ts';
import { makeId } from './ids.ts';
import { createJournal } from './journal.ts';
import type { Change, Row, SaveKind, Value } from './row.ts';
import { type Table, type Tables, tableOf } from './table.ts';

export type StoreState = {
  readonly counters: Readonly<Record<string, number>>;
  readonly rows: Readonly<Record<string, readonly Row[]>>;
};

/** The org's rows, deleted ones included, in order of creation. */
export interface Store {
  readonly schema: Schema;
  get(type: string, id: string): Row | undefined;
  rows(type: string): Iterable<Row>;
  /** How many rows there are, deleted ones included. */
  count(type: string): number;
  /** The rows whose field has this value, by index. */
  find: (type: string, ...sought: Parameters<Table['find']>) => readonly Row[];
  /** The rows of a type sorted by a text field and then by id, from a given value on. Uses an index. */
  sortedFrom: (type: string, ...from: Parameters<Table['sortedFrom']>) => Iterable<Row>;
  /** The value of a field of a row, as a client reads it. */
  read(field: FieldDef, row: Row): Value;
  /** Writes a row as it is. `save` is the kind of save for automation; by default none. */
  put(type: string, row: Row, save?: SaveKind): void;
  /** Removes a row permanently. An undone transaction does not restore the row. */
  purge(type: string, id: string): void;
  /** The deleted rows, in the order of their deletion. */
  binned(): readonly { readonly type: string; readonly id: string }[];
  /** A new 18-character id. An id is never repeated, not even after `clear`. */
  nextId(keyPrefix: string): string;
  /** The next number within a type, from 1, for auto-number names. */
  nextNumber(type: string): number;
  /**
   * Runs `work` all-or-none: when it throws, every row is as before. Transactions nest; listeners get the changes when the outermost one
   * succeeds.
   */
  transact<T>(work: () => T): T;
  /** Runs `work`, undoes its changes and returns them, for an open transaction that others must not see yet. */
  rehearse<T>(work: () => T): { readonly result: T; readonly changes: readonly Change[] };
  /** Replaces the set of locked rows, which no other transaction may write. */
  lock(ids: readonly string[]): void;
  onCommit(listener: (changes: readonly Change[]) => void): void;
  clear(): void;
  snapshot(): StoreState;
  load(state: StoreState): void;
}

/** Computes a formula field of a row; `get` finds any row of the org. */
export type Compute = (field: FieldDef, row: Row, get: Store['get']) => Value;

/**
 * Makes an empty store. `pod` is the two characters after the key prefix in this org's ids. A random `firstNumber` makes the ids of orgs
 * differ.
 */
export function createStore(schema: Schema, pod: string, firstNumber: number, compute: Compute = () => null): Store {
  const tables: Tables = new Map();
  const numbers = createNumbers(firstNumber);
  const journal = createJournal(tables);
  const bin = createBin(tables);
  let locked: ReadonlySet<string> = new Set();
  const reads = readsOf(tables);
  return {
    schema,
    ...reads,
    read: (field, row) => (field.formula === null ? (row[field.name] ?? null) : compute(field, row, reads.get)),
    put: (type, after, save) => {
      const table = tableOf(tables, type);
      const id = String(after['Id']);
      if (locked.has(id)) throw rowLocked();
      journal.note({ type, id, save: save ?? null, before: table.get(id), after });
      table.set(id, after);
      bin.note(type, after);
    },
    purge: (type, id) => {
      tableOf(tables, type).delete(id);
    },
    binned: bin.list,
    nextId: (keyPrefix) => makeId(keyPrefix, pod, numbers.next(keyPrefix)),
    nextNumber: (type) => numbers.next(`#${type}`),
    transact: journal.transact,
    rehearse: journal.rehearse,
    lock: (ids) => {
      locked = new Set(ids);
    },
    onCommit: journal.onCommit,
    clear: () => tables.clear(),
    snapshot: () => ({
      counters: numbers.snapshot(),
      rows: Object.fromEntries([...tables].map(([type, rows]) => [type, [...rows.values()]])),
    }),
    load: (state) => {
      numbers.load(state.counters);
      tables.clear();
      for (const [type, rows] of Object.entries(state.rows)) {
        loadRows(tableOf(tables, type), rows, defaultsOf(schema, type));
        for (const row of rows) bin.note(type, row);
      }
    },
  };
}

/** Reads of the tables, by the name of an object. */
function readsOf(tables: Tables): Pick<Store, 'get' | 'rows' | 'count' | 'find' | 'sortedFrom'> {
  return {
    get: (type, id) => tableOf(tables, type).get(id),
    rows: (type) => tableOf(tables, type).values(),
    count: (type) => tableOf(tables, type).size,
    find: (type, field, value) => tableOf(tables, type).find(field, value),
    sortedFrom: (type, field, value) => tableOf(tables, type).sortedFrom(field, value),
  };
}

function loadRows(table: Table, rows: readonly Row[], defaults: Row): void {
  for (const row of rows) table.set(String(row['Id']), { ...defaults, ...row });
}

/** The error if another transaction has locked the row (API status codes: UNABLE_TO_LOCK_ROW). */
function rowLocked(): Error {
  return failure(400, 'UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record', []);
}

/** The ids of deleted rows. Listing the ids removes ids of undone transactions. */
function createBin(tables: Tables) {
  const types = new Map<string, string>();
  return {
    note: (type: string, row: Row): void => {
      if (row['IsDeleted'] !== true) return;
      types.delete(String(row['Id']));
      types.set(String(row['Id']), type);
    },
    list: () => {
      for (const [id, type] of types) {
        if (tableOf(tables, type).get(id)?.['IsDeleted'] !== true) types.delete(id);
      }
      return [...types].map(([id, type]) => ({ id, type }));
    },
  };
}

/** Counters by name. Counters of ids begin after `firstNumber`; counters of auto-numbers (`#`) begin at 1. */
function createNumbers(firstNumber: number) {
  let counters = new Map<string, number>();
  return {
    next: (name: string): number => {
      const next = (counters.get(name) ?? (name.startsWith('#') ? 0 : firstNumber)) + 1;
      counters.set(name, next);
      return next;
    },
    snapshot: () => Object.fromEntries(counters),
    load: (saved: Readonly<Record<string, number>>) => {
      counters = new Map(Object.entries(saved));
    },
  };
}

/** Values for fields that the package gained since a state was saved. */
function defaultsOf(schema: Schema, type: string): Row {
  const fields = [...(schema.object(type)?.fields.values() ?? [])];
  return Object.fromEntries(fields.map((field) => [field.name, field.defaultValue]));
}
