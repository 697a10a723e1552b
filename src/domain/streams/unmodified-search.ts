import { earlier } from './look-back.ts';
import type { Period, PeriodCursor } from './period-cursor.ts';

/**
 * How long, in ms, a search proves that records are unmodified. Shorter than a minute, so that a write can still be sent within a minute of
 * the search.
 */
export const USABLE_MS = 40_000;
/** The precision of a `Date` header: whole seconds. */
const SECOND_MS = 1_000;
/** The start of the searched period: before the vendor's oldest record. */
const FIRST = '2000-01-01T00:00:00.000Z';

/**
 * The period of modification dates for a search that proves records unmodified. All earlier changes in the period were already found, so a
 * record that the search still shows in it has not been modified since its last read. Null if the overlap (the longest delay until a change
 * is visible) is too long, or if the vendor's time is unknown.
 */
export function knownPeriod(cursor: PeriodCursor | null, overlapMs: number): Period | null {
  if (cursor?.aheadMs === undefined || overlapMs >= USABLE_MS) return null;
  // Stamps may have whole seconds only, so the period ends a second earlier.
  const toDate = earlier(cursor.settledUntil, SECOND_MS);
  return Date.parse(toDate) > Date.parse(FIRST) ? { fromDate: FIRST, toDate } : null;
}

/** The times of a search, ISO. `vendorNow`: the vendor's clock, null if its answer contains no time; the others by our clock. */
export type AnsweredSearch = {
  readonly askedAt: string;
  readonly answeredAt: string;
  readonly vendorNow: string | null;
};

/**
 * The instant up to which records that the search found are certainly unmodified (ISO, Lockstep's clock). Null if the answer contains no
 * time, or an earlier time than a previous answer, because it may come from a cache.
 */
export function unmodifiedAsOf(
  { askedAt, answeredAt, vendorNow }: AnsweredSearch,
  cursor: PeriodCursor,
  overlapMs: number,
): string | null {
  if (vendorNow === null) return null;
  const expectedMs = Date.parse(askedAt) + (cursor.aheadMs ?? 0);
  const isOld = Date.parse(vendorNow) < Math.max(expectedMs - 2 * SECOND_MS, Date.parse(cursor.until) - SECOND_MS);
  if (isOld || Date.parse(answeredAt) < Date.parse(askedAt)) return null;
  return earlier(askedAt, overlapMs);
}
