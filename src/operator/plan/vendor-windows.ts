import { PERIOD_SEARCHES } from '../../domain/streams/period-searches.ts';

/** A period of modification, both ends included; ISO. */
type Period = { readonly fromDate: string; readonly toDate: string };

/** Answers up to this many ids let the next period be longer; beyond the most, it is shorter. */
const [FEW_IDS, MOST_IDS] = [500, 2_000];
const SHORTEST_MS = 60_000;
/** The documents show no limit of a period (sales spec 4.4); this keeps one answer small where little happens. */
const LONGEST_MS = 32 * PERIOD_SEARCHES['vendor-sales'].longestMs;

/**
 * All ids that the vendor shows as modified from `since` to `until`, a list for each search, in the order of time: periods
 * begin with a day, and follow how many ids the answers have.
 */
export async function* idsByPeriod(
  search: (period: Period) => Promise<readonly string[]>,
  since: string,
  until: string,
): AsyncGenerator<readonly string[], void> {
  let lengthMs: number = PERIOD_SEARCHES['vendor-sales'].longestMs;
  let fromMs = Date.parse(since);
  const endMs = Date.parse(until);
  while (fromMs < endMs) {
    const toMs = Math.min(endMs, fromMs + lengthMs);
    const found = await search({ fromDate: iso(fromMs), toDate: iso(toMs) });
    yield found;
    if (found.length <= FEW_IDS) lengthMs = Math.min(LONGEST_MS, 2 * lengthMs);
    else if (found.length > MOST_IDS) lengthMs = Math.max(SHORTEST_MS, lengthMs / 2);
    fromMs = toMs;
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
