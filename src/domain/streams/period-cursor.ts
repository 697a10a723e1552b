/**
 * How the vendor's changes are read: it finds records by a period of modification (sales spec 4.4), so a cursor is an
 * instant of its clock, and the stretch behind it is searched once more for what became visible late.
 */
import { earlier, FIRST_LOOK_BACK_MS } from './look-back.ts';

/** How far a tenant's changes have been read. Instants by the vendor's clock. */
export type PeriodCursor = {
  readonly until: string;
  /** The stretch behind `until` was searched again up to here. */
  readonly overlapUntil: string;
  /** When the search up to `until` was sent, by our clock: what was marked due since is yet to be read. */
  readonly searchedAt?: string;
  /** The present was reached, and the stretch behind it has grown to the overlap: it is searched next. */
  readonly overlapNext?: true;
};

/** A period of modification, both ends included. */
export type Period = { readonly fromDate: string; readonly toDate: string };
/** What to search: what is new, or the stretch behind the cursor once more. */
export type PeriodSearch = { readonly period: Period; readonly isOverlap: boolean };

const LONGEST_PERIOD_MS = 86_400_000;
/** The vendor's clock may be ahead of ours. */
const CLOCK_MARGIN_MS = 300_000;
/** Taken off our own clock where the vendor tells no time at all. */
const UNKNOWN_CLOCK_MS = 120_000;

export function firstPeriodCursor(now: string): PeriodCursor {
  const from = earlier(now, FIRST_LOOK_BACK_MS);
  return { until: from, overlapUntil: from };
}

/** The search that comes next. */
export function nextSearch(
  { until, overlapUntil, overlapNext }: PeriodCursor,
  now: string,
  overlapMs: number,
): PeriodSearch {
  if (overlapNext) {
    return { period: { fromDate: earlier(overlapUntil, overlapMs), toDate: until }, isOverlap: true };
  }
  const toMs = Math.min(Date.parse(until) + LONGEST_PERIOD_MS, Date.parse(now) + CLOCK_MARGIN_MS);
  return { period: { fromDate: until, toDate: new Date(toMs).toISOString() }, isOverlap: false };
}

/**
 * Where a search leads. `vendorNow` is the vendor's own time of the answer, null where it tells none: nothing after it
 * can have been shown yet. `sentAt` is our time of the question.
 */
export function afterSearch(
  cursor: PeriodCursor,
  { period: { fromDate, toDate }, isOverlap }: PeriodSearch,
  {
    vendorNow,
    sentAt,
    overlapMs,
  }: { readonly vendorNow: string | null; readonly sentAt: string; readonly overlapMs: number },
): { readonly cursor: PeriodCursor; readonly more: boolean } {
  if (isOverlap) {
    const { overlapNext: _, ...rest } = cursor;
    return { cursor: { ...rest, overlapUntil: cursor.until }, more: false };
  }
  const { overlapUntil } = cursor;
  const vendorMs = Date.parse(vendorNow ?? earlier(sentAt, UNKNOWN_CLOCK_MS));
  const toMs = Date.parse(toDate);
  const untilMs = Math.max(Date.parse(fromDate), Math.min(toMs, vendorMs));
  const isPresent = toMs >= vendorMs;
  const overlapNext = isPresent && untilMs - Date.parse(overlapUntil) >= overlapMs;
  return {
    cursor: {
      until: new Date(untilMs).toISOString(),
      overlapUntil,
      searchedAt: sentAt,
      ...(overlapNext ? { overlapNext } : {}),
    },
    more: !isPresent || overlapNext,
  };
}
