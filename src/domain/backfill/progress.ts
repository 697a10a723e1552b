import type { BackfillCounts, BackfillOrder, BackfillPhase } from './backfill.ts';

/** What a backfill shows of itself. */
export type BackfillProgress = {
  readonly phase: BackfillPhase;
  readonly found: number;
  readonly done: number;
  readonly inFlight: number;
  /** Between 0 and 1, by the work that records take. */
  readonly fraction: number;
  /** Of the work, in records a second; null before anything is done. */
  readonly perSecond: number | null;
  /** Null before that can be told. */
  readonly remainingSeconds: number | null;
  readonly outcomes: BackfillCounts['outcomes'];
};

/**
 * Vendor requests that a record takes: a reading to match it; a reading, the write of our reference and the reading of its echo to
 * bring it in; the create of an opportunity and the reading of its echo.
 */
const CALLS = { match: 1, vendor: 3, crm: 2 } as const;

/**
 * How far a backfill is, and how long it still takes: the vendor's quota is what bounds it, so that time is told by requests. The
 * share of opportunities that the vendor has already is taken from the records matched so far. `workedMs`: since its first
 * reading, without pauses. Pure.
 */
export function progressOf(
  phase: BackfillPhase,
  counts: BackfillCounts,
  { from, fields }: Pick<BackfillOrder, 'from' | 'fields'>,
  workedMs: number,
): BackfillProgress {
  const { vendor, crm, outcomes, inFlight } = counts;
  const isVendorTaken = from !== 'crm';
  const found = (isVendorTaken ? vendor.found : 0) + crm.found;
  const done = (isVendorTaken ? vendor.done : 0) + crm.done;
  // A record of which fields alone are brought in line takes as much as the next.
  const { left, spent } =
    fields === undefined ? workOf(counts, isVendorTaken) : { left: found - done, spent: done };
  const seconds = workedMs / 1_000;
  const isToldYet = spent > 0 && seconds > 0 && phase !== 'find-vendor' && phase !== 'find-crm';
  const isOver = phase === 'over';
  return {
    ...{ phase, found, done, inFlight, outcomes },
    fraction: isOver ? 1 : spent / Math.max(1, spent + left),
    perSecond: seconds > 0 && done > 0 ? done / seconds : null,
    remainingSeconds: isOver ? 0 : isToldYet ? Math.ceil((left * seconds) / spent) : null,
  };
}

/** Requests that are left, and that what is done has taken. */
function workOf(
  { vendor, crm, paired, outcomes }: BackfillCounts,
  isVendorTaken: boolean,
): { readonly left: number; readonly spent: number } {
  const allPaired = vendor.matched === 0 ? 0 : (paired * vendor.found) / vendor.matched;
  const metAlready = outcomes['linked'] ?? 0;
  const made = crm.done - metAlready;
  const toMake = Math.max(0, crm.found - allPaired - made);
  const ownCalls = isVendorTaken ? CALLS.vendor : 0;
  return {
    left:
      CALLS.match * (vendor.found - vendor.matched) +
      ownCalls * (vendor.found - vendor.done) +
      CALLS.crm * (crm.done === crm.found ? 0 : toMake),
    spent: CALLS.match * vendor.matched + ownCalls * vendor.done + CALLS.crm * made,
  };
}
