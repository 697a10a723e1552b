import type { Period } from './period-cursor.ts';
import { PERIOD_SEARCHES } from './period-searches.ts';

/**
 * Limits for the number of ids in one answer. With at most `FEW_IDS` ids, the next period is twice as long; with more than `MOST_IDS`, half
 * as long.
 */
const [FEW_IDS, MOST_IDS] = [500, 2_000];
const SHORTEST_MS = 60_000;
/**
 * The maximum length of a period, in ms. The documents show no limit (sales spec 4.4). This limit keeps answers small after times with few
 * changes.
 */
const LONGEST_MS = 32 * PERIOD_SEARCHES['vendor-sales'].longestMs;

/** The length of the first period when a search goes through the past, in ms. */
export const FIRST_SPAN_MS: number = PERIOD_SEARCHES['vendor-sales'].longestMs;

/** The period of one search, and a function that computes the length of the next period. */
export type WholePeriod = {
  /** The period, by modification time, both ends included; ISO. */
  readonly period: Period;
  /** The next period's length in milliseconds, from the number of ids found in this period. */
  readonly nextSpanMs: (found: number) => number;
};

/** A period of `spanMs` from an instant, ending at `until` at the latest; ISO. Pure. */
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
