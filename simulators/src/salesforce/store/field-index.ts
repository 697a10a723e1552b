import type { FieldDef } from '../schema/types.ts';
import type { Row, Value } from './row.ts';

/** The rows of a table by the value of one field: texts without case, unless the field is case sensitive. */
export interface FieldIndex {
  add(row: Row): void;
  remove(row: Row): void;
  find(value: Value): readonly Row[];
}

type Indexed = Pick<FieldDef, 'name' | 'caseSensitive'>;

/** `rowOf` returns the present row of an id. */
export function createFieldIndex(
  { name, caseSensitive }: Indexed,
  rows: Iterable<Row>,
  rowOf: (id: string) => Row | undefined,
): FieldIndex {
  // Most values of an indexed field have only one row.
  const ids = new Map<Value, string | Set<string>>();
  const keyOf = (value: Value | undefined): Value =>
    typeof value === 'string' && !caseSensitive ? value.toLowerCase() : (value ?? null);
  const index: FieldIndex = {
    add: (row) => {
      const key = keyOf(row[name]);
      const id = String(row['Id']);
      const known = ids.get(key);
      if (known === undefined) ids.set(key, id);
      else if (known instanceof Set) known.add(id);
      else ids.set(key, new Set([known, id]));
    },
    remove: (row) => {
      const key = keyOf(row[name]);
      const known = ids.get(key);
      if (!(known instanceof Set)) ids.delete(key);
      else if (known.delete(String(row['Id'])) && known.size === 0) ids.delete(key);
    },
    find: (value) => {
      const known = ids.get(keyOf(value)) ?? [];
      const found = typeof known === 'string' ? [known] : [...known];
      return found.map(rowOf).filter((row) => row !== undefined);
    },
  };
  for (const row of rows) index.add(row);
  return index;
}
