import type { Period } from '../../domain/streams/period-cursor.ts';
import { FIRST_SPAN_MS, periodAfter } from '../../domain/streams/whole-periods.ts';

/**
 * Yields the ids of vendor records that were modified from `since` to `until` (ISO), oldest first. Searches one period after the other, and
 * yields one list of ids for each period. The more ids a search finds, the shorter is the next period.
 */
export async function* idsByPeriod(
  search: (period: Period) => Promise<readonly string[]>,
  since: string,
  until: string,
): AsyncGenerator<readonly string[], void> {
  let spanMs = FIRST_SPAN_MS;
  for (let fromDate = since; fromDate < until; ) {
    const { period, nextSpanMs } = periodAfter(fromDate, spanMs, until);
    const found = await search(period);
    yield found;
    spanMs = nextSpanMs(found.length);
    fromDate = period.toDate;
  }
}
