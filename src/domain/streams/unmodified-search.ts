import { earlier } from './look-back.ts';
import type { Period, PeriodCursor } from './period-cursor.ts';

/**
 * How long, in ms, the result of a search proves that vendor records are unmodified. It is less than a minute, because a write may be sent
 * only within a minute of the read or search on which it is based.
 */
export const USABLE_MS = 40_000;
/** The precision of a `Date` header: whole seconds. */
const SECOND_MS = 1_000;
/** The start of the searched period. It is older than every record of the vendor. */
const FIRST = '2000-01-01T00:00:00.000Z';

/**
 * The period of modification dates to search in order to learn which vendor records are unmodified. Earlier searches have found all changes
 * in this period. A record that was modified since then has a later modification date. So if the new search finds a record in this period,
 * the record is unmodified since its last read. But the search may miss changes of the last `overlapMs` (the longest delay until a change
 * is visible). So the result describes the time `overlapMs` before the search, and it is usable only for `USABLE_MS` after that time. Null
 * if the overlap is at least `USABLE_MS`, because the result would be too old at once. Also null if the vendor's time is unknown.
 */
export function knownPeriod(cursor: PeriodCursor | null, overlapMs: number): Period | null {
  if (cursor?.aheadMs === undefined || overlapMs >= USABLE_MS) return null;
  // Stamps may have whole seconds only, so the period ends a second earlier.
  const toDate = earlier(cursor.settledUntil, SECOND_MS);
  return Date.parse(toDate) > Date.parse(FIRST) ? { fromDate: FIRST, toDate } : null;
}

/**
 * The times of a search, ISO. `askedAt`, `answeredAt`: when Lockstep sent the search and got the answer, by its own clock. `vendorNow`: the
 * vendor's time in the answer; null if the answer has none.
 */
export type AnsweredSearch = {
  readonly askedAt: string;
  readonly answeredAt: string;
  readonly vendorNow: string | null;
};

/**
 * The instant (ISO, Lockstep's clock) until which the records in the answer of a search at the vendor had certainly not changed since
 * Lockstep last read them. Null if the answer contains no time, or a time that is too old, because such an answer may come from a cache.
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
