/**
 * How the CRM's changes are read: by keyset, in the order (SystemModstamp, Id). Rows commit late, under a stamp that
 * was passed already, so each sweep begins one overlap behind what is settled and skips the row versions it knows.
 */
import { earlier, FIRST_LOOK_BACK_MS } from './look-back.ts';

/** Rows are read in the order (SystemModstamp, Id), strictly after this; an empty id stands before all of its instant. */
export type CrmPosition = { readonly systemModstamp: string; readonly id: string };

/** How far one object's changes have been read; `page` is where a sweep of several pages goes on. */
export type CrmCursor = {
  readonly settled: CrmPosition;
  readonly page: CrmPosition | null;
  /** Stamps by row id, of those that the next sweep will meet again. */
  readonly seen: Readonly<Record<string, string>>;
};

type RowVersion = { readonly rowId: string; readonly systemModstamp: string };

export function firstCrmCursor(now: string): CrmCursor {
  const systemModstamp = earlier(now, FIRST_LOOK_BACK_MS);
  return { settled: { systemModstamp, id: '' }, page: null, seen: {} };
}

/** Where the next page begins. */
export function pageStart({ page, settled }: CrmCursor, overlapMs: number): CrmPosition {
  return page ?? { systemModstamp: earlier(settled.systemModstamp, overlapMs), id: '' };
}

/** The row versions that no page has shown before. */
export function unseenOf<Row extends RowVersion>({ seen }: CrmCursor, rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => seen[row.rowId] !== row.systemModstamp);
}

/** The cursor after a page that ended at `position`; `more` when the sweep goes on from there. */
export function afterPage(
  cursor: CrmCursor,
  page: { readonly rows: readonly RowVersion[]; readonly position: CrmPosition; readonly more: boolean },
  overlapMs: number,
): CrmCursor {
  const settled = later(cursor.settled, page.position);
  const sinceMs = Date.parse(settled.systemModstamp) - overlapMs;
  const seen = [
    ...Object.entries(cursor.seen),
    ...page.rows.map((row) => [row.rowId, row.systemModstamp] as const),
  ].filter(([, stamp]) => Date.parse(stamp) >= sinceMs);
  return { settled, page: page.more ? page.position : null, seen: Object.fromEntries(seen) };
}

function later(a: CrmPosition, b: CrmPosition): CrmPosition {
  return Date.parse(b.systemModstamp) > Date.parse(a.systemModstamp) ? b : a;
}
