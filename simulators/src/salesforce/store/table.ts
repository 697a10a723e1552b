import type { FieldDef } from '../schema/types.ts';
import { createFieldIndex, type FieldIndex } from './field-index.ts';
import type { Row, Value } from './row.ts';
import { createSortedRows, type SortedRows } from './sorted-rows.ts';

/** Rows of one object by id, in order of creation, with an index of each field by which rows were sought. */
export interface Table {
  readonly size: number;
  get(id: string): Row | undefined;
  set(id: string, row: Row): void;
  delete(id: string): void;
  values(): Iterable<Row>;
  find(field: Pick<FieldDef, 'name' | 'caseSensitive'>, value: Value): readonly Row[];
  /** The rows sorted by a text field and then by id, from a given value on. */
  sortedFrom(field: string, value: string): Iterable<Row>;
}

export type Tables = Map<string, Table>;

/** The table of an object, made when it is first asked for. */
export function tableOf(tables: Tables, type: string): Table {
  const known = tables.get(type);
  if (known !== undefined) return known;
  const fresh = createTable();
  tables.set(type, fresh);
  return fresh;
}

function createTable(): Table {
  const rows = new Map<string, Row>();
  // Indexes, made when first needed and updated from then on.
  const byField = new Map<string, FieldIndex>();
  const inOrder = new Map<string, SortedRows>();
  const remove = (row: Row | undefined) => {
    if (row === undefined) return;
    for (const index of byField.values()) index.remove(row);
    for (const sorted of inOrder.values()) sorted.remove(row);
  };
  return {
    get size() {
      return rows.size;
    },
    get: (id) => rows.get(id),
    set: (id, row) => {
      remove(rows.get(id));
      rows.set(id, row);
      for (const index of byField.values()) index.add(row);
      for (const sorted of inOrder.values()) sorted.add(row);
    },
    delete: (id) => {
      remove(rows.get(id));
      rows.delete(id);
    },
    values: () => rows.values(),
    find: (field, value) => {
      const known = byField.get(field.name);
      const index = known ?? createFieldIndex(field, rows.values(), (id) => rows.get(id));
      if (known === undefined) byField.set(field.name, index);
      return index.find(value);
    },
    sortedFrom: (field, value) => {
      const known = inOrder.get(field);
      const sorted = known ?? createSortedRows(field, rows.values());
      if (known === undefined) inOrder.set(field, sorted);
      return sorted.from(value);
    },
  };
}
