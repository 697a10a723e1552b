/**
 * How the vendor's changes are read: it finds records by a period of modification (sales spec 4.4), so a cursor is an
 * instant of its clock. A change may become visible later than its stamp says: each stretch is searched once more when
 * it has been past for the overlap, because by then nothing can appear in it any more.
 */
import { earlier, FIRST_LOOK_BACK_MS } from './look-back.ts';

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
};

/** A period of modification, both ends included. */
export type Period = { readonly fromDate: string; readonly toDate: string };

export type PeriodSearch = {
  readonly period: Period;
  /** `new`: up to the present; `cut`: as far as one period goes; `late`: once more, for what became visible late. */
  readonly kind: 'new' | 'cut' | 'late';
};

/** What an answer tells of time: the vendor's own, null where it tells none, and ours. */
export type Answered = { readonly vendorNow: string | null; readonly answeredAt: string };

const LONGEST_PERIOD_MS = 86_400_000;
/** The vendor's clock counts as this far behind ours where it tells no time, and before it has told any. */
const UNKNOWN_AHEAD_MS = -120_000;

export function firstPeriodCursor(now: string): PeriodCursor {
  const from = earlier(now, FIRST_LOOK_BACK_MS);
  return { until: from, settledUntil: from };
}

/** The search that comes next; no period ends after the vendor's present. */
export function nextSearch(cursor: PeriodCursor, now: string, overlapMs: number): PeriodSearch {
  const { until, settledUntil, aheadMs = UNKNOWN_AHEAD_MS, lateNext } = cursor;
  if (lateNext) {
    const toMs = Math.min(Date.parse(until) - overlapMs, Date.parse(settledUntil) + LONGEST_PERIOD_MS);
    return { period: { fromDate: settledUntil, toDate: iso(toMs) }, kind: 'late' };
  }
  const fromMs = Date.parse(until);
  const presentMs = Math.max(fromMs, Date.parse(now) + aheadMs);
  const isCut = presentMs > fromMs + LONGEST_PERIOD_MS;
  const toMs = isCut ? fromMs + LONGEST_PERIOD_MS : presentMs;
  return { period: { fromDate: until, toDate: iso(toMs) }, kind: isCut ? 'cut' : 'new' };
}

/** Where a search leads, and whether another follows. */
export function afterSearch(
  cursor: PeriodCursor,
  search: PeriodSearch,
  answered: Answered,
  overlapMs: number,
): { readonly cursor: PeriodCursor; readonly more: boolean } {
  const after =
    search.kind === 'late'
      ? { ...cursor, settledUntil: search.period.toDate }
      : afterNew(cursor, search, answered, overlapMs);
  const { lateNext: _, ...rest } = after;
  const { until, settledUntil } = rest;
  const unsettledMs = Date.parse(until) - overlapMs - Date.parse(settledUntil);
  // All of what remains, once begun; else a whole overlap at a time.
  const lateNext =
    search.kind === 'late' ? unsettledMs > 0 : search.kind === 'new' && unsettledMs >= overlapMs;
  // Before the vendor had told its time, the present was guessed to be too early.
  const isGuessed = search.kind === 'new' && cursor.aheadMs === undefined && answered.vendorNow !== null;
  return {
    cursor: { ...rest, ...(lateNext ? { lateNext } : {}) },
    more: search.kind === 'cut' || lateNext || isGuessed,
  };
}

function afterNew(
  { until, settledUntil }: PeriodCursor,
  { period: { toDate } }: PeriodSearch,
  { vendorNow, answeredAt }: Answered,
  overlapMs: number,
): PeriodCursor {
  const aheadMs = vendorNow === null ? UNKNOWN_AHEAD_MS : Date.parse(vendorNow) - Date.parse(answeredAt);
  const vendorMs = Date.parse(answeredAt) + aheadMs;
  // Nothing after the vendor's own time can have been shown yet, should its clock have been set back.
  const untilMs = Math.max(Date.parse(until), Math.min(Date.parse(toDate), vendorMs));
  // What was past for the overlap when it was searched for the first time is settled by that.
  const isAllSettled = Date.parse(settledUntil) >= Date.parse(until);
  const settledMs = isAllSettled ? Math.min(untilMs, vendorMs - overlapMs) : 0;
  return {
    until: iso(untilMs),
    settledUntil: iso(Math.max(Date.parse(settledUntil), settledMs)),
    answeredAt,
    aheadMs,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
