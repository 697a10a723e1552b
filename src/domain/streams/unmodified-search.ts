import { earlier } from './look-back.ts';
import type { Period, PeriodCursor } from './period-cursor.ts';

/** So long a search tells of records: no write leaves later than a minute after what it rests on, and it has a way to go. */
export const USABLE_MS = 40_000;
/** A `Date` header holds whole seconds. */
const SECOND_MS = 1_000;
/** No record of the vendor's is older. */
const FIRST = '2000-01-01T00:00:00.000Z';

/**
 * The period of modification whose records have not been modified since they were read: it ends where all changes were
 * searched when they had been past for the overlap, and were marked due. Null where no search can tell in time: the overlap is
 * too long for a write to rest on it, or the vendor's time is not known.
 */
export function knownPeriod(cursor: PeriodCursor | null, overlapMs: number): Period | null {
  if (cursor?.aheadMs === undefined || overlapMs >= USABLE_MS) return null;
  // Stamps may be whole seconds.
  const toDate = earlier(cursor.settledUntil, SECOND_MS);
  return Date.parse(toDate) > Date.parse(FIRST) ? { fromDate: FIRST, toDate } : null;
}

/** An answered search. `vendorNow`: by the vendor, null where it told no time; the others by our clock. ISO. */
export type AnsweredSearch = {
  readonly askedAt: string;
  readonly answeredAt: string;
  readonly vendorNow: string | null;
};

/**
 * As of when its answer tells of records that were not modified since (ISO, by our clock): what was modified by then would have
 * left the period, as a change shows at most the overlap after its stamp. Null where the vendor's clock tells no time, or one
 * before what it told already: such an answer may be an old one.
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
