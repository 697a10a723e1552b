/**
 * How far the CRM's changes have been read. Changed rows are read page by page in the order (SystemModstamp, Id), and the cursor is the
 * position of the last row. A row may become visible late, with a timestamp before this position. Each sweep (search for changes) therefore
 * begins at the start of the last sweep minus a fixed time (the overlap), and skips row versions that were read before.
 */
import { unstableForMs } from '../values/crm-stamp.ts';
import { earlier, FIRST_LOOK_BACK_MS } from './look-back.ts';

/**
 * A position in the order (SystemModstamp, Id). The rows after this position are read next. An empty id means the position before all rows
 * with this timestamp.
 */
export type CrmPosition = { readonly systemModstamp: string; readonly id: string };

/** How far the changes of one CRM object have been read. Instants are ISO, by the CRM's clock. */
export type CrmCursor = {
  /**
   * When the last complete sweep (search for CRM changes) began. This sweep has read all changes that were then older than the overlap (the
   * longest delay until a change is visible).
   */
  readonly settled: string;
  /**
   * The sweep (search for CRM changes) that has not read all its pages yet: the position after the last page that was read, and when the
   * sweep began. Null if the last sweep is complete.
   */
  readonly sweep: { readonly position: CrmPosition; readonly begunAt: string } | null;
};

/**
 * The facts about a page that move the cursor: the position of the page's last row, whether more rows follow, and the CRM's time in the
 * answer (`now`).
 */
export type ReadPage = { readonly position: CrmPosition; readonly more: boolean; readonly now: string };

export function firstCrmCursor(now: string): CrmCursor {
  return { settled: earlier(now, FIRST_LOOK_BACK_MS), sweep: null };
}

/** The position after which the next page of changed CRM rows is read. `overlapMs`: the longest delay, in ms, until a change is visible. */
export function pageStart(cursor: CrmCursor, overlapMs: number): CrmPosition {
  return cursor.sweep?.position ?? { systemModstamp: sweepStart(cursor, overlapMs), id: '' };
}

/**
 * The timestamp (`SystemModstamp`) from which a new sweep (search for CRM changes) reads: the start of the last sweep minus the overlap
 * (the longest delay until a change is visible).
 */
export function sweepStart({ settled }: CrmCursor, overlapMs: number): string {
  return earlier(settled, overlapMs);
}

/**
 * The rows that the next sweep (search for CRM changes) can skip if their timestamp is unchanged. A row that was read in the second of its
 * timestamp, or in the next one, cannot be skipped, because it may change again without a new timestamp. `now`: the CRM's clock.
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
