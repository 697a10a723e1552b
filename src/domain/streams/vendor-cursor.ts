/**
 * How the vendor's changes are read: it finds ids by a period of modification (sales spec 4.4), so a cursor is an
 * instant of its clock, and the stretch behind it is searched once more for what became visible late.
 */
import { earlier, FIRST_LOOK_BACK_MS } from './look-back.ts';

/** How far a tenant's changes have been read. Instants by the vendor's clock. */
export type VendorCursor = {
  readonly until: string;
  /** The stretch behind `until` was searched again up to here. */
  readonly overlapUntil: string;
  /** When the search up to `until` was sent, by our clock: what was marked due since is yet to be read. */
  readonly searchedAt?: string;
};

/** A period of modification, both ends included. */
export type Period = { readonly fromDate: string; readonly toDate: string };

const LONGEST_PERIOD_MS = 86_400_000;
/** The vendor's clock may be ahead of ours. */
const CLOCK_MARGIN_MS = 300_000;
/** Taken off our own clock where the vendor tells no time at all. */
const UNKNOWN_CLOCK_MS = 120_000;

export function firstVendorCursor(now: string): VendorCursor {
  const from = earlier(now, FIRST_LOOK_BACK_MS);
  return { until: from, overlapUntil: from };
}

/** The period to search next. */
export function nextPeriod({ until }: VendorCursor, now: string): Period {
  const toMs = Math.min(Date.parse(until) + LONGEST_PERIOD_MS, Date.parse(now) + CLOCK_MARGIN_MS);
  return { fromDate: until, toDate: new Date(toMs).toISOString() };
}

/**
 * Where a search of the period leads. `vendorNow` is the vendor's own time of the answer, null where it tells none:
 * nothing after it can have been shown yet. `sentAt` is our time of the question.
 */
export function afterSearch(
  { overlapUntil }: VendorCursor,
  { fromDate, toDate }: Period,
  { vendorNow, sentAt }: { readonly vendorNow: string | null; readonly sentAt: string },
): { readonly cursor: VendorCursor; readonly more: boolean } {
  const vendorMs = Date.parse(vendorNow ?? earlier(sentAt, UNKNOWN_CLOCK_MS));
  const toMs = Date.parse(toDate);
  const untilMs = Math.max(Date.parse(fromDate), Math.min(toMs, vendorMs));
  const cursor = { until: new Date(untilMs).toISOString(), overlapUntil, searchedAt: sentAt };
  return { cursor, more: toMs < vendorMs };
}

/** Whether the stretch behind the cursor has grown to the overlap. */
export function isOverlapDue({ until, overlapUntil }: VendorCursor, overlapMs: number): boolean {
  return Date.parse(until) - Date.parse(overlapUntil) >= overlapMs;
}

/** The stretch to search once more, and the cursor when that is done. */
export function overlapOf(
  cursor: VendorCursor,
  overlapMs: number,
): { readonly period: Period; readonly after: VendorCursor } {
  const { until, overlapUntil } = cursor;
  return {
    period: { fromDate: earlier(overlapUntil, overlapMs), toDate: until },
    after: { ...cursor, overlapUntil: until },
  };
}
