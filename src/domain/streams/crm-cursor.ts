/**
 * How the CRM's changes are read: by keyset, in the order (SystemModstamp, Id). Rows commit late, under a stamp that
 * was passed already, so each sweep begins one overlap before the last one began, and skips the row versions it knows.
 */
import { unstableForMs } from '../values/crm-stamp.ts';
import { earlier, FIRST_LOOK_BACK_MS } from './look-back.ts';

/** Rows are read in the order (SystemModstamp, Id), strictly after this; an empty id stands before all of its instant. */
export type CrmPosition = { readonly systemModstamp: string; readonly id: string };

/** How far one object's changes have been read. Instants by the CRM's clock. */
export type CrmCursor = {
  /** When the last sweep that reached the present began: what is stamped an overlap before has been shown. */
  readonly settled: string;
  /** The sweep of several pages that is under way: where it goes on, and when it began. */
  readonly sweep: { readonly position: CrmPosition; readonly begunAt: string } | null;
};

/** A page as it was read; `now` is the CRM's own time of the answer. */
export type ReadPage = { readonly position: CrmPosition; readonly more: boolean; readonly now: string };

export function firstCrmCursor(now: string): CrmCursor {
  return { settled: earlier(now, FIRST_LOOK_BACK_MS), sweep: null };
}

/** Where the next page begins. */
export function pageStart(cursor: CrmCursor, overlapMs: number): CrmPosition {
  return cursor.sweep?.position ?? { systemModstamp: sweepStart(cursor, overlapMs), id: '' };
}

/** From which stamp on a sweep reads; nothing older is met again. */
export function sweepStart({ settled }: CrmCursor, overlapMs: number): string {
  return earlier(settled, overlapMs);
}

/**
 * Those of a page's rows that the next sweep need not take in again, by the CRM's own time of the answer. One that was
 * read within the second of its stamp may be saved once more under that stamp.
 */
export function stableRows<Row extends { readonly stamp: string }>(
  rows: readonly Row[],
  now: string,
): readonly Row[] {
  return rows.filter(({ stamp }) => unstableForMs(stamp, now) === 0);
}

/** The cursor after a page. */
export function afterPage({ settled, sweep }: CrmCursor, { position, more, now }: ReadPage): CrmCursor {
  const begunAt = sweep?.begunAt ?? now;
  if (more) return { settled, sweep: { position, begunAt } };
  // The CRM's clock may be set back.
  return { settled: Date.parse(begunAt) > Date.parse(settled) ? begunAt : settled, sweep: null };
}
