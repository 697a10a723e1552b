import type { Period } from '../../domain/streams/period-cursor.ts';
import { FIRST_SPAN_MS, periodAfter } from '../../domain/streams/whole-periods.ts';

/**
 * Yields the ids of vendor records that were modified from `since` to `until`, oldest first. Searches period by period, and yields one list
 * for each. The more ids a search finds, the shorter the next period.
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
