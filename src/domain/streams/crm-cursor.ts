/**
 * The position up to which the CRM's changes were read: keyset paging in the order (SystemModstamp, Id). A row may be committed late, with
 * a timestamp before this position. So each sweep (search for changes) begins a fixed time (the overlap) before the start of the last one,
 * and skips row versions that it has seen.
 */
import { unstableForMs } from '../values/crm-stamp.ts';
import { earlier, FIRST_LOOK_BACK_MS } from './look-back.ts';

/**
 * A position in the order (SystemModstamp, Id). Reading goes on with the rows after it. An empty id stands before all rows of its instant.
 */
export type CrmPosition = { readonly systemModstamp: string; readonly id: string };

/** How far one object's changes have been read. Instants by the CRM's clock. */
export type CrmCursor = {
  /**
   * When the last complete sweep began. All changes whose timestamp is earlier by more than the overlap (the longest delay until a change
   * is visible) have been read.
   */
  readonly settled: string;
  /** The sweep (search for CRM changes) that is not finished yet, if it has several pages: where it goes on, and when it began. */
  readonly sweep: { readonly position: CrmPosition; readonly begunAt: string } | null;
};

/** What the read of a page showed: its last position, and the CRM's clock when it answered (`now`). */
export type ReadPage = { readonly position: CrmPosition; readonly more: boolean; readonly now: string };

export function firstCrmCursor(now: string): CrmCursor {
  return { settled: earlier(now, FIRST_LOOK_BACK_MS), sweep: null };
}

/** The position after which the next page is read. */
export function pageStart(cursor: CrmCursor, overlapMs: number): CrmPosition {
  return cursor.sweep?.position ?? { systemModstamp: sweepStart(cursor, overlapMs), id: '' };
}

/** The timestamp (`SystemModstamp`) from which a sweep (search for CRM changes) reads. */
export function sweepStart({ settled }: CrmCursor, overlapMs: number): string {
  return earlier(settled, overlapMs);
}

/**
 * Rows that the next sweep (search for CRM changes) can skip. A row that was read within a second of its timestamp is not among them,
 * because it may change again without a new timestamp. `now`: the CRM's clock.
 */
export function stableRows<Row extends { readonly stamp: string }>(rows: readonly Row[], now: string): readonly Row[] {
  return rows.filter(({ stamp }) => unstableForMs(stamp, now) === 0);
}

export function afterPage({ settled, sweep }: CrmCursor, { position, more, now }: ReadPage): CrmCursor {
  const begunAt = sweep?.begunAt ?? now;
  if (more) return { settled, sweep: { position, begunAt } };
  // The CRM's clock may have been set back.
  return { settled: Date.parse(begunAt) > Date.parse(settled) ? begunAt : settled, sweep: null };
}
