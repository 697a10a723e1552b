import { isUnset, listOf, readObject } from '../../values/text.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Calls `map` with a list of objects from a read, and returns the result of `map`. A single object counts as a list of one. Undefined if an
 * item of the list is not an object.
 */
export function mapRows<T>(observed: unknown, map: (rows: readonly Row[]) => T): T | undefined {
  const items = isUnset(observed) ? [] : Array.isArray(observed) ? observed : [observed];
  const rows = items.map(readObject).filter((row) => row !== undefined);
  return rows.length === items.length ? map(rows) : undefined;
}

/**
 * A comparison key for a list of rows: two lists have one key if they contain the same rows in any order. `cells` returns those values of a
 * row that are compared. All forms of an unset value count as equal.
 */
export function keyOfRows(value: unknown, cells: (row: Row) => readonly unknown[]): string {
  const rows = listOf(value).map((row) => JSON.stringify(cells(readObject(row) ?? {}).map((cell) => cell || null)));
  return JSON.stringify(rows.sort());
}
