import type { CrmPosition } from './crm-cursor.ts';

/**
 * One page of changed rows of a CRM object, in the order (SystemModstamp, Id). `position`: where the page ends; `more`: whether further
 * rows follow.
 */
export type DealPage<Row> = { readonly rows: readonly Row[]; readonly position: CrmPosition; readonly more: boolean };

/**
 * Joins pages of several objects, all read from the same start position, into one page. A page is incomplete if further rows follow. The
 * joined page ends at the lowest position at which an incomplete page ends, in the order (SystemModstamp, Id). Rows after this position are
 * left out. The next pages of all objects begin there and contain these rows again. Pure.
 *
 * @param positionOf returns the position of a row
 */
export function inOneOrder<Row>(
  pages: readonly DealPage<Row>[],
  start: CrmPosition,
  positionOf: (row: Row) => CrmPosition,
): DealPage<Row> {
  const [end = null] = pages.flatMap(({ more, position }) => (more ? [position] : [])).sort(byPosition);
  const all = pages.flatMap(({ rows }) => rows).map((row) => ({ row, position: positionOf(row) }));
  const shown = all.filter(({ position }) => end === null || byPosition(position, end) <= 0);
  const inOrder = shown.sort((one, other) => byPosition(one.position, other.position));
  return {
    rows: inOrder.map(({ row }) => row),
    position: end ?? inOrder.at(-1)?.position ?? start,
    more: end !== null,
  };
}

/** Orders two positions by timestamp, then by id. Ids of different objects are never equal, because their first three characters differ. */
function byPosition(one: CrmPosition, other: CrmPosition): number {
  const [a, b] = [one, other].map(({ systemModstamp, id }) => `${systemModstamp} ${id}`) as [string, string];
  return a < b ? -1 : a > b ? 1 : 0;
}
