/**
 * The position up to which the CRM's changes were read: keyset paging in the order (SystemModstamp, Id). A row may become visible late,
 * with a timestamp before this position. Each sweep (search for changes) therefore begins at the start of the last sweep minus a fixed time
 * (the overlap), and skips row versions that were read before.
 */
import { unstableForMs } from '../values/crm-stamp.ts';
import { earlier, FIRST_LOOK_BACK_MS } from './look-back.ts';

/**
 * A position in the order (SystemModstamp, Id). The rows after it are read next. An empty id means the position before all rows of the
 * instant.
 */
export type CrmPosition = { readonly systemModstamp: string; readonly id: string };

/** How far one object's changes have been read. Instants by the CRM's clock. */
export type CrmCursor = {
  /**
   * When the last complete sweep began. All changes that were older than the overlap (the longest delay until a change is visible) at this
   * time have been read.
   */
  readonly settled: string;
  /**
   * The sweep (search for CRM changes) that is not finished yet: the position after its last page, and when it began. Null if none is
   * unfinished.
   */
  readonly sweep: { readonly position: CrmPosition; readonly begunAt: string } | null;
};

/**
 * What a page contained, as far as the cursor needs it: its last position, whether more rows follow, and the CRM's clock when it answered
 * (`now`).
 */
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
 * Rows that the next sweep (search for CRM changes) can skip. A row that was read in the second of its timestamp, or in the next one,
 * cannot be skipped, because it may change again without a new timestamp. `now`: the CRM's clock.
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
