/**
 * The cursor for the vendor's changes: an instant of the vendor's clock, because the vendor searches by a period of modification (sales
 * spec 4.4, order spec 4.2). Each period is searched again after the overlap (the longest delay until a change is visible). A period with
 * several pages is read to its last page before the cursor moves. A period with too many rows is made shorter.
 */
import { earlier, FIRST_LOOK_BACK_MS } from './look-back.ts';
import { grown, halved, isDeep, type PagePosition, SHORTEST_MS } from './period-length.ts';

/** How far a tenant's changes have been read. Instants by the vendor's clock, except `answeredAt`. */
export type PeriodCursor = {
  /** All changes before this instant were searched at least once. */
  readonly until: string;
  /**
   * All changes before this instant were searched again after the overlap (the longest delay until a change is visible), so no further
   * change can appear before it.
   */
  readonly settledUntil: string;
  /**
   * When the search up to `until` was answered, by our clock. A row that a repeated search (`late`) finds can be skipped only if its link
   * was marked due after this instant, because only a read after it is sure to show the change.
   */
  readonly answeredAt?: string;
  /** How far the vendor's clock was ahead of ours, in milliseconds. */
  readonly aheadMs?: number;
  /**
   * Whether the last search reached the present. The next one then repeats a period that is now older than the overlap (the longest delay
   * until a change is visible).
   */
  readonly lateNext?: true;
  /** The longest period allowed now, in ms, because longer ones had more rows than can be paged. */
  readonly spanMs?: number;
  /** A search with unread pages: the next page, and when its first page was answered. */
  readonly open?: { readonly search: PeriodSearch; readonly begun: Answered };
};

/** A period of modification times, both ends included. */
export type Period = { readonly fromDate: string; readonly toDate: string };

export type PeriodSearch = {
  readonly period: Period;
  /**
   * The kind of search. `new`: up to the present; `cut`: limited by the longest period; `late`: repeated for changes that became visible
   * late.
   */
  readonly kind: 'new' | 'cut' | 'late';
  /** The page to read; absent for the first page. */
  readonly page?: PagePosition;
};

/** The two clocks at an answer: the vendor's, null if it sent no time, and ours. */
export type Answered = { readonly vendorNow: string | null; readonly answeredAt: string };

/** What follows a page: the next page, null after the last, or `moved` if rows shifted since the previous page and some may be missing. */
export type PageFollows = PagePosition | 'moved' | null;

export type PeriodRules = {
  /** The longest period that one search may request, in ms. */
  readonly longestMs: number;
  /** The longest delay between a change's stamp and its visibility. */
  readonly overlapMs: number;
  /** How many milliseconds neighbouring periods share, because the vendor's documents do not say whether a period includes its ends. */
  readonly sharedMs: number;
};

/** The clock difference that is assumed while the vendor's answers contain no time: the vendor's clock is two minutes behind ours. */
const UNKNOWN_AHEAD_MS = -120_000;

/** How long a search of the present stays valid, in ms: shorter than the time between two runs, longer than the searches of one run. */
const PRESENT_FOR_MS = 30_000;

export function firstPeriodCursor(now: string): PeriodCursor {
  const from = earlier(now, FIRST_LOOK_BACK_MS);
  return { until: from, settledUntil: from };
}

/** The next search. Its period is not empty and does not end after the vendor's present time. */
export function nextSearch(cursor: PeriodCursor, now: string, rules: PeriodRules): PeriodSearch {
  const { open, until, settledUntil, aheadMs = UNKNOWN_AHEAD_MS, spanMs, lateNext } = cursor;
  if (open !== undefined) return open.search;
  const { longestMs, overlapMs, sharedMs } = rules;
  const mostMs = Math.min(spanMs ?? longestMs, longestMs - sharedMs);
  const period = (afterMs: number, toMs: number): Period => ({
    fromDate: iso(Math.min(afterMs - sharedMs, toMs - SHORTEST_MS)),
    toDate: iso(toMs),
  });
  const presentMs = Date.parse(now) + aheadMs;
  const settledMs = Date.parse(settledUntil);
  const lateMs = Math.min(Date.parse(until) - overlapMs, settledMs + mostMs, presentMs);
  // The overlap may be longer than before, or the vendor's clock may have been set back.
  if (lateNext && lateMs > settledMs) return { period: period(settledMs, lateMs), kind: 'late' };
  const cutMs = Date.parse(until) + mostMs;
  return {
    period: period(Date.parse(until), Math.min(cutMs, presentMs)),
    kind: presentMs > cutMs ? 'cut' : 'new',
  };
}

/** The cursor after a page of a search. `more`: whether another search or page follows at once. */
export function afterSearch(
  cursor: PeriodCursor,
  search: PeriodSearch,
  answered: Answered & { readonly follows: PageFollows },
  rules: PeriodRules,
): { readonly cursor: PeriodCursor; readonly more: boolean } {
  const { open, spanMs, ...rest } = cursor;
  const { follows, vendorNow, answeredAt } = answered;
  const begun = open?.begun ?? { vendorNow, answeredAt };
  if (follows === null) {
    const span = search.page === undefined ? grown(spanMs, rules.longestMs) : spanMs;
    const { cursor: after, more } = afterPeriod(rest, search, begun, rules.overlapMs);
    const isPast = presentIsPast(after, answeredAt);
    return { cursor: { ...after, ...(span === undefined ? {} : { spanMs: span }) }, more: more || isPast };
  }
  const shorterMs = halved(search.period, rules.sharedMs);
  if (shorterMs !== null && (follows === 'moved' || isDeep(follows)))
    return { cursor: { ...rest, spanMs: shorterMs }, more: true };
  const kept = spanMs === undefined ? rest : { ...rest, spanMs };
  // Each row leaves a past period at most once, so later tries find fewer moved rows.
  if (follows === 'moved') return { cursor: kept, more: false };
  return { cursor: { ...kept, open: { search: { ...search, page: follows }, begun } }, more: true };
}

/** The cursor after a period whose rows were all read. `begun`: the clocks at the answer of its first page. */
function afterPeriod(
  cursor: PeriodCursor,
  search: PeriodSearch,
  begun: Answered,
  overlapMs: number,
): { readonly cursor: PeriodCursor; readonly more: boolean } {
  const after =
    search.kind === 'late'
      ? { ...cursor, settledUntil: search.period.toDate }
      : afterNew(cursor, search, begun, overlapMs);
  const { lateNext: _, ...rest } = after;
  const { until, settledUntil, aheadMs = UNKNOWN_AHEAD_MS } = rest;
  // With a vendor clock that runs behind, searches would otherwise never end.
  const presentMs = Date.parse(begun.answeredAt) + aheadMs;
  const unsettledMs = Math.min(Date.parse(until) - overlapMs, presentMs) - Date.parse(settledUntil);
  // A repeated search continues to the end once begun. It begins when a whole overlap is due.
  const leastMs = search.kind === 'late' ? SHORTEST_MS : Math.max(overlapMs, SHORTEST_MS);
  const lateNext = search.kind !== 'cut' && unsettledMs >= leastMs;
  // Without a time from the vendor, the search assumed that the present was two minutes ago.
  const isGuessed = search.kind === 'new' && cursor.aheadMs === undefined && begun.vendorNow !== null;
  return {
    cursor: { ...rest, ...(lateNext ? { lateNext } : {}) },
    more: search.kind === 'cut' || lateNext || isGuessed,
  };
}

/** Whether the present was searched so long ago that it must be searched again, as when a run continues an earlier run's search. */
function presentIsPast({ answeredAt: searchedAt }: PeriodCursor, now: string): boolean {
  return searchedAt !== undefined && Date.parse(now) - Date.parse(searchedAt) > PRESENT_FOR_MS;
}

function afterNew(
  cursor: PeriodCursor,
  { period: { toDate } }: PeriodSearch,
  { vendorNow, answeredAt }: Answered,
  overlapMs: number,
): PeriodCursor {
  const { until, settledUntil } = cursor;
  const aheadMs = vendorNow === null ? UNKNOWN_AHEAD_MS : Date.parse(vendorNow) - Date.parse(answeredAt);
  const vendorMs = Date.parse(answeredAt) + aheadMs;
  const back = backTo(cursor, vendorMs, answeredAt, overlapMs);
  if (back !== null) return { ...back, answeredAt, aheadMs };
  // If the vendor's clock was set back, the answer cannot contain changes after the vendor's own time.
  const untilMs = Math.max(Date.parse(until), Math.min(Date.parse(toDate), vendorMs));
  // Changes older than the overlap at their first search need no second search.
  const isAllSettled = Date.parse(settledUntil) >= Date.parse(until);
  // A vendor clock that is far ahead settles no period, so our own clock limits it.
  const surelyMs = Date.parse(answeredAt) + Math.min(aheadMs, Math.max(UNKNOWN_AHEAD_MS, -overlapMs));
  const settledMs = isAllSettled ? Math.min(untilMs, surelyMs - overlapMs) : 0;
  return {
    until: iso(untilMs),
    settledUntil: iso(Math.max(Date.parse(settledUntil), settledMs)),
    answeredAt,
    aheadMs,
  };
}

/** The cursor set back to the previous answer, after the vendor's clock was far ahead. Null if the cursor is not in the future. */
function backTo(
  { until, settledUntil, answeredAt: before }: PeriodCursor,
  vendorMs: number,
  answeredAt: string,
  overlapMs: number,
): Pick<PeriodCursor, 'until' | 'settledUntil'> | null {
  const nowMs = Date.parse(answeredAt);
  if (Date.parse(until) <= Math.max(nowMs, vendorMs) + overlapMs) return null;
  const presentMs = Math.max(vendorMs, nowMs - FIRST_LOOK_BACK_MS);
  const sinceMs = before === undefined ? 0 : Math.max(0, nowMs - Date.parse(before));
  const untilMs = presentMs - sinceMs;
  return {
    until: iso(untilMs),
    settledUntil: iso(Math.min(Date.parse(settledUntil), untilMs - overlapMs)),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
