import { earlier } from './look-back.ts';
import type { Period, PeriodCursor } from './period-cursor.ts';

/**
 * How long a search's evidence that records are unmodified may be used. A write must leave within a minute of its evidence, and needs part
 * of that time itself.
 */
export const USABLE_MS = 40_000;
/** A `Date` header has whole seconds. */
const SECOND_MS = 1_000;
/** Earlier than the vendor's oldest record. */
const FIRST = '2000-01-01T00:00:00.000Z';

/**
 * The period of all changes that were searched after the overlap and marked due. A record still in it is unmodified since its last read.
 * Null if the overlap is too long to support a write, or if the vendor's time is unknown.
 */
export function knownPeriod(cursor: PeriodCursor | null, overlapMs: number): Period | null {
  if (cursor?.aheadMs === undefined || overlapMs >= USABLE_MS) return null;
  // Stamps may be whole seconds.
  const toDate = earlier(cursor.settledUntil, SECOND_MS);
  return Date.parse(toDate) > Date.parse(FIRST) ? { fromDate: FIRST, toDate } : null;
}

/** A search's times, ISO. `vendorNow`: the vendor's clock, null if it sent none; the others by our clock. */
export type AnsweredSearch = {
  readonly askedAt: string;
  readonly answeredAt: string;
  readonly vendorNow: string | null;
};

/**
 * The instant (ISO, our clock) as of which records found by the search are unmodified, because a modified record leaves the period at most
 * an overlap after its stamp. Null if the vendor sent no time, or a time before an earlier answer's, because the answer may be cached.
 */
export function unmodifiedAsOf(
  { askedAt, answeredAt, vendorNow }: AnsweredSearch,
  cursor: PeriodCursor,
  overlapMs: number,
): string | null {
  if (vendorNow === null) return null;
  const expectedMs = Date.parse(askedAt) + (cursor.aheadMs ?? 0);
  const isOld =
    Date.parse(vendorNow) < Math.max(expectedMs - 2 * SECOND_MS, Date.parse(cursor.until) - SECOND_MS);
  if (isOld || Date.parse(answeredAt) < Date.parse(askedAt)) return null;
  return earlier(askedAt, overlapMs);
}
