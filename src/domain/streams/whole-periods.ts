import type { Period } from './period-cursor.ts';
import { PERIOD_SEARCHES } from './period-searches.ts';

/** Answers up to this many ids let the next period be longer; beyond the most, it is shorter. */
const [FEW_IDS, MOST_IDS] = [500, 2_000];
const SHORTEST_MS = 60_000;
/** The documents show no limit of a period (sales spec 4.4); this keeps one answer small where little happens. */
const LONGEST_MS = 32 * PERIOD_SEARCHES['vendor-sales'].longestMs;

/** What a reading of the past begins with. */
export const FIRST_SPAN_MS: number = PERIOD_SEARCHES['vendor-sales'].longestMs;

/** A period of one search. */
export type WholePeriod = {
  /** By the time of modification, both ends included; ISO. */
  readonly period: Period;
  /** How long the next one may be, by how many ids this one has. */
  readonly nextSpanMs: (found: number) => number;
};

/** The period of so long from an instant on, not beyond `until`; ISO. Pure. */
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
