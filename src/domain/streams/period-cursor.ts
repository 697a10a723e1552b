/**
 * How the vendor's changes are read: it finds rows by a period of modification (sales spec 4.4, order spec 4.2), so a
 * cursor is an instant of its clock. A change may become visible later than its stamp says: each stretch is searched once
 * more when it has been past for the overlap, because by then nothing can appear in it any more. A period whose rows come
 * in pages is read to its last page before the cursor moves, and a shorter one is where its rows are too many to page.
 */
import { earlier, FIRST_LOOK_BACK_MS } from './look-back.ts';
import { grown, halved, isDeep, type PagePosition, SHORTEST_MS } from './period-length.ts';

/** How far a tenant's changes have been read. Instants by the vendor's clock, but for `answeredAt`. */
export type PeriodCursor = {
  /** Searched once up to here. */
  readonly until: string;
  /** Searched up to here when it had been past for the overlap. */
  readonly settledUntil: string;
  /** When the search up to `until` was answered, by our clock: what was marked due since is read after `until`. */
  readonly answeredAt?: string;
  /** How much the vendor's clock was ahead of ours at that time. */
  readonly aheadMs?: number;
  /** The present was reached; what has been past for the overlap is searched next. */
  readonly lateNext?: true;
  /** Periods are this long at most for now: longer ones held more rows than can be paged. */
  readonly spanMs?: number;
  /** The search whose pages are being read: the next one, and when the first was answered. */
  readonly open?: { readonly search: PeriodSearch; readonly begun: Answered };
};

/** A period of modification, both ends included. */
export type Period = { readonly fromDate: string; readonly toDate: string };

export type PeriodSearch = {
  readonly period: Period;
  /** `new`: up to the present; `cut`: as far as one period goes; `late`: once more, for what became visible late. */
  readonly kind: 'new' | 'cut' | 'late';
  /** Absent for the first page. */
  readonly page?: PagePosition;
};

/** What an answer tells of time: the vendor's own, null where it tells none, and ours. */
export type Answered = { readonly vendorNow: string | null; readonly answeredAt: string };

/** What follows a page: the next one, nothing, or the rows moved since the page before, so that some may be missed. */
export type PageFollows = PagePosition | 'moved' | null;

export type PeriodRules = {
  /** The longest period of one search. */
  readonly longestMs: number;
  /** A change becomes visible at most this long after its stamp. */
  readonly overlapMs: number;
  /** How much of it neighbouring periods share, where it is not known whether a bound counts in. */
  readonly sharedMs: number;
};

/** The vendor's clock counts as this far behind ours where it tells no time, and before it has told any. */
const UNKNOWN_AHEAD_MS = -120_000;

/** Shorter than from one run to the next, and longer than the searches of one take. */
const PRESENT_FOR_MS = 30_000;

export function firstPeriodCursor(now: string): PeriodCursor {
  const from = earlier(now, FIRST_LOOK_BACK_MS);
  return { until: from, settledUntil: from };
}

/** The search that comes next: of a period that ends after it begins, and not after the vendor's present. */
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
  // The overlap may have become longer since, or the vendor's clock have been set back.
  if (lateNext && lateMs > settledMs) return { period: period(settledMs, lateMs), kind: 'late' };
  const cutMs = Date.parse(until) + mostMs;
  return {
    period: period(Date.parse(until), Math.min(cutMs, presentMs)),
    kind: presentMs > cutMs ? 'cut' : 'new',
  };
}

/** Where a page of a search leads, and whether another search, or page, comes at once. */
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
  // A row leaves a period that is past once at most, so that a later turn meets fewer that move.
  if (follows === 'moved') return { cursor: kept, more: false };
  return { cursor: { ...kept, open: { search: { ...search, page: follows }, begun } }, more: true };
}

/** Where a period leads all of whose rows were read, the first of them by this answer. */
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
  // As far as the next search may go: a vendor that tells an early time would have it follow its clock without end.
  const presentMs = Date.parse(begun.answeredAt) + aheadMs;
  const unsettledMs = Math.min(Date.parse(until) - overlapMs, presentMs) - Date.parse(settledUntil);
  // All of what remains, once begun; else a whole overlap at a time.
  const leastMs = search.kind === 'late' ? SHORTEST_MS : Math.max(overlapMs, SHORTEST_MS);
  const lateNext = search.kind !== 'cut' && unsettledMs >= leastMs;
  // Before the vendor had told its time, the present was guessed to be too early.
  const isGuessed = search.kind === 'new' && cursor.aheadMs === undefined && begun.vendorNow !== null;
  return {
    cursor: { ...rest, ...(lateNext ? { lateNext } : {}) },
    more: search.kind === 'cut' || lateNext || isGuessed,
  };
}

/** Whether the present was searched so long ago that it is another by now: a run takes up what one before it left. */
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
  // Nothing after the vendor's own time can have been shown yet, should its clock have been set back.
  const untilMs = Math.max(Date.parse(until), Math.min(Date.parse(toDate), vendorMs));
  // What was past for the overlap when it was searched for the first time is settled by that.
  const isAllSettled = Date.parse(settledUntil) >= Date.parse(until);
  // A time that is told far ahead settles nothing: by our own clock, with what the vendor's may be behind it, that long is past.
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
 * Where reading goes on if the vendor once told a time far ahead of what it tells now: at the answer before this one. The
 * cursor then stands in a future that no change carries a stamp of. Null where it does not.
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
