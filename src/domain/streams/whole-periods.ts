import type { Period } from './period-cursor.ts';
import { PERIOD_SEARCHES } from './period-searches.ts';

/**
 * Limits for the number of ids in one search answer. With at most `FEW_IDS` ids, the next searched period is twice as long. With more than
 * `MOST_IDS` ids, it is half as long.
 */
const [FEW_IDS, MOST_IDS] = [500, 2_000];
const SHORTEST_MS = 60_000;
/**
 * The maximum length of a searched period, in ms. The vendor's documents show no limit (sales spec 4.4). This limit keeps the answer small
 * if many changes follow a time with few changes.
 */
const LONGEST_MS = 32 * PERIOD_SEARCHES['vendor-sales'].longestMs;

/** The length of the first searched period, in ms, when all past changes at the vendor are searched period by period. */
export const FIRST_SPAN_MS: number = PERIOD_SEARCHES['vendor-sales'].longestMs;

/** The period of one search, and a function that computes the length of the next period. */
export type WholePeriod = {
  /** The searched period, ISO: modification times, both ends included. */
  readonly period: Period;
  /** Computes the length of the next period in milliseconds. `found`: the number of ids found in this period. */
  readonly nextSpanMs: (found: number) => number;
};

/** The period of modification times that begins at `fromDate` (ISO) and is `spanMs` long, or ends earlier at `until` (ISO). Pure. */
export function periodAfter(fromDate: string, spanMs: number, until: string): WholePeriod {
  const toMs = Math.min(Date.parse(until), Date.parse(fromDate) + spanMs);
  return {
    period: { fromDate, toDate: new Date(toMs).toISOString() },
    nextSpanMs: (found) => {
      if (found <= FEW_IDS) return Math.min(LONGEST_MS, 2 * spanMs);
      return found > MOST_IDS ? Math.max(SHORTEST_MS, spanMs / 2) : spanMs;
    },
  };
}
