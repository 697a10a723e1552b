/**
 * How far the vendor's changes have been read: an instant of the vendor's clock. A search at the vendor is limited to a period of
 * modification times (sales spec 4.4, order spec 4.2). Each period is searched a second time after the overlap (the longest delay until a
 * change is visible). If a period has several pages, the cursor moves only after the last page. A period with too many rows is divided.
 */
import { earlier, FIRST_LOOK_BACK_MS } from './look-back.ts';
import { grown, halved, isDeep, type PagePosition, SHORTEST_MS } from './period-length.ts';

/** How far a tenant's changes at the vendor have been read. Instants are ISO, by the vendor's clock except `answeredAt`. */
export type PeriodCursor = {
  /** All changes up to this instant (ISO) were searched at least once. */
  readonly until: string;
  /**
   * All changes up to this instant (ISO) were searched a second time, after the overlap (the longest delay until a change is visible). So
   * all changes with an earlier modification time have become visible and were found.
   */
  readonly settledUntil: string;
  /**
   * When the search up to `until` was answered, by Lockstep's clock, ISO. A second search of a period (`late`) finds again the rows that
   * the first search found. It skips a row only if Lockstep marked the row's record due (to be read) after this instant. Such a mark leads
   * to a read that surely shows the change. An earlier read may not have shown the change yet.
   */
  readonly answeredAt?: string;
  /** How far the vendor's clock was ahead of Lockstep's clock, in milliseconds. Absent before an answer contained the vendor's time. */
  readonly aheadMs?: number;
  /**
   * True if the next search must search an earlier period again. This is so when the last search has reached the present, and the overlap
   * (the longest delay until a change is visible) has passed for that period.
   */
  readonly lateNext?: true;
  /**
   * The present maximum length of a searched period, in ms, set because a longer period had too many rows. If absent, only the rules
   * (`longestMs`) limit the length.
   */
  readonly spanMs?: number;
  /**
   * A search whose pages were not all read yet. `search`: the search with the next page; `begun`: when its first page was answered, by the
   * vendor's clock and by Lockstep's clock.
   */
  readonly open?: { readonly search: PeriodSearch; readonly begun: Answered };
};

/** A period of modification times, ISO. Both ends belong to the period. */
export type Period = { readonly fromDate: string; readonly toDate: string };

export type PeriodSearch = {
  readonly period: Period;
  /**
   * The kind of search. `new`: from the cursor up to the present. `cut`: only the first part of that time, because the whole would exceed
   * the longest allowed period. `late`: a second search of an earlier period, for changes that became visible late.
   */
  readonly kind: 'new' | 'cut' | 'late';
  /** The page to read; absent for the first page. */
  readonly page?: PagePosition;
};

/** The time of an answer by two clocks: the vendor's (null if the answer contained no time) and Lockstep's. */
export type Answered = { readonly vendorNow: string | null; readonly answeredAt: string };

/**
 * What follows a page of a search: the next page, or null after the last page. `moved`: rows were added to or removed from the period since
 * the previous page, so that the search may have missed some rows.
 */
export type PageFollows = PagePosition | 'moved' | null;

export type PeriodRules = {
  /** The longest period that one search may request, in ms. */
  readonly longestMs: number;
  /** The longest time, in ms, that a change may take to appear in searches, counted from the modification time in the vendor's record. */
  readonly overlapMs: number;
  /**
   * By how many milliseconds two neighbouring periods overlap. They overlap because the vendor's documents do not say whether a period
   * includes its ends.
   */
  readonly sharedMs: number;
};

/**
 * How far the vendor's clock is assumed to be ahead of Lockstep's while the vendor's answers contain no time, in ms. The value is negative:
 * the clock is assumed to be two minutes behind. So a search ends before the vendor's present time, unless the vendor's clock is even
 * further behind. A search that ended later would move the cursor past changes that are still to come.
 */
const UNKNOWN_AHEAD_MS = -120_000;

/**
 * If the last search of the vendor's newest changes was longer ago than this, in ms, the same run of the stream searches them again. All
 * searches of one run usually take less time, so a run does not repeat its own search. The pause between two runs is longer. So a run that
 * only continued an earlier run's search usually searches the newest changes again.
 */
const PRESENT_FOR_MS = 30_000;

export function firstPeriodCursor(now: string): PeriodCursor {
  const from = earlier(now, FIRST_LOOK_BACK_MS);
  return { until: from, settledUntil: from };
}

/**
 * Returns the next search of the vendor's changes. Its period is never empty, and never ends after the present time of the vendor's clock.
 * `now`: Lockstep's time, ISO.
 */
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
  // `settledMs` may be later than `lateMs`, if the overlap was made longer or the vendor's clock was set back.
  if (lateNext && lateMs > settledMs) return { period: period(settledMs, lateMs), kind: 'late' };
  const cutMs = Date.parse(until) + mostMs;
  return {
    period: period(Date.parse(until), Math.min(cutMs, presentMs)),
    kind: presentMs > cutMs ? 'cut' : 'new',
  };
}

/**
 * The cursor after a page of a search was read. `follows`: what follows the page. `more`: whether another search or page must be read at
 * once.
 */
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
  // The period cannot be halved. A later run searches it again: a row leaves a past period at most once, so fewer rows will have moved.
  if (follows === 'moved') return { cursor: kept, more: false };
  return { cursor: { ...kept, open: { search: { ...search, page: follows }, begun } }, more: true };
}

/**
 * The cursor after all rows of a period were read. `begun`: when the first page was answered, by the vendor's clock and by Lockstep's
 * clock. `more`: whether another search must follow at once.
 */
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
  // At most the present: if the vendor's clock was set back, `until` may be in the future, and second searches would never end.
  const presentMs = Date.parse(begun.answeredAt) + aheadMs;
  const unsettledMs = Math.min(Date.parse(until) - overlapMs, presentMs) - Date.parse(settledUntil);
  // Second searches begin when a period as long as the overlap is due. Once begun, they continue until nothing is due.
  const leastMs = search.kind === 'late' ? SHORTEST_MS : Math.max(overlapMs, SHORTEST_MS);
  const lateNext = search.kind !== 'cut' && unsettledMs >= leastMs;
  // The search did not know the vendor's time and assumed that the present was two minutes ago. Now the rest is searched.
  const isGuessed = search.kind === 'new' && cursor.aheadMs === undefined && begun.vendorNow !== null;
  return {
    cursor: { ...rest, ...(lateNext ? { lateNext } : {}) },
    more: search.kind === 'cut' || lateNext || isGuessed,
  };
}

/**
 * Whether the vendor's newest changes must be searched again, because the last search up to the present was too long ago. This happens, for
 * example, when a run of the stream continues the search of an earlier run.
 */
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
  // A vendor clock that is ahead must not settle a period too early. So the vendor's time counts as at most Lockstep's time minus the
  // overlap, or minus two minutes if this is less.
  const surelyMs = Date.parse(answeredAt) + Math.min(aheadMs, Math.max(UNKNOWN_AHEAD_MS, -overlapMs));
  const settledMs = isAllSettled ? Math.min(untilMs, surelyMs - overlapMs) : 0;
  return {
    until: iso(untilMs),
    settledUntil: iso(Math.max(Date.parse(settledUntil), settledMs)),
    answeredAt,
    aheadMs,
  };
}

/**
 * The corrected position of a cursor that lies in the future, because the vendor's clock was far ahead and was then set back. The next
 * search must find all changes since the previous answer. So `until` becomes the vendor's present time minus the time that has passed since
 * that answer. Null if the cursor does not lie in the future.
 */
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
