import { isUnset, listOf, readObject } from '../../values/text.ts';

type Row = Readonly<Record<string, unknown>>;

/** A list of objects of a read; a single object counts as a list of one, as the read's key is singular. */
export function mapRows<T>(observed: unknown, map: (rows: readonly Row[]) => T): T | undefined {
  const items = isUnset(observed) ? [] : Array.isArray(observed) ? observed : [observed];
  const rows = items.map(readObject).filter((row) => row !== undefined);
  return rows.length === items.length ? map(rows) : undefined;
}

/** The key of rows without order, each by its cells; every spelling of unset is one. */
export function keyOfRows(value: unknown, cells: (row: Row) => readonly unknown[]): string {
  const rows = listOf(value).map((row) =>
    JSON.stringify(cells(readObject(row) ?? {}).map((cell) => cell || null)),
  );
  return JSON.stringify(rows.sort());
}
