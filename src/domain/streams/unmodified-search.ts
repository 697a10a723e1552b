import { earlier } from './look-back.ts';
import type { Period, PeriodCursor } from './period-cursor.ts';

/**
 * How long, in ms, the result of a search proves that records are unmodified. Less than a minute, so that a write based on the result can
 * be sent within a minute of the search.
 */
export const USABLE_MS = 40_000;
/** The precision of a `Date` header: whole seconds. */
const SECOND_MS = 1_000;
/** The start of the searched period, before the oldest record of the vendor. */
const FIRST = '2000-01-01T00:00:00.000Z';

/**
 * The period of modification dates to search in order to learn which records are unmodified. Earlier searches have found all changes in
 * this period. A record that the search shows in it has therefore not been modified since its last read. Null if the overlap (the longest
 * delay until a change is visible) is too long, or if the vendor's time is unknown.
 */
export function knownPeriod(cursor: PeriodCursor | null, overlapMs: number): Period | null {
  if (cursor?.aheadMs === undefined || overlapMs >= USABLE_MS) return null;
  // Stamps may have whole seconds only, so the period ends a second earlier.
  const toDate = earlier(cursor.settledUntil, SECOND_MS);
  return Date.parse(toDate) > Date.parse(FIRST) ? { fromDate: FIRST, toDate } : null;
}

/**
 * The times of a search, ISO: when Lockstep sent it and got the answer, by Lockstep's clock, and the vendor's time in the answer
 * (`vendorNow`; null if the answer has none).
 */
export type AnsweredSearch = {
  readonly askedAt: string;
  readonly answeredAt: string;
  readonly vendorNow: string | null;
};

/**
 * The instant (ISO, Lockstep's clock) up to which the found records are certainly unmodified. Null if the answer contains no time, or a
 * time that is too old, because such an answer may come from a cache.
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
