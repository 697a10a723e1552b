import type { BackfillCounts, BackfillOrder, BackfillPhase } from './backfill.ts';
import { type BackfillBound, type BackfillQuota, msLeft, NO_PACE, type OwnPace, paceAfter } from './pace.ts';

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

type Order = Pick<BackfillOrder, 'from' | 'fields'>;

/** A look at a backfill. */
export type BackfillPoint = {
  /** When it was so, ISO. */
  readonly at: string;
  readonly phase: BackfillPhase;
  readonly counts: BackfillCounts;
  /** Absent in what was told before bounds were. */
  readonly bound?: BackfillBound;
};

/** The time that a backfill has taken, from look to look. */
export type BackfillTime = {
  /** Since its first reading, without pauses. */
  readonly workedMs: number;
  readonly pace: OwnPace;
  /** The last look; null where the time since then does not count. */
  readonly last: Seen | null;
};

type Seen = {
  readonly atMs: number;
  readonly isWork: boolean;
  readonly requests: number;
  readonly quota: BackfillQuota | null;
  /** The look before it since which none of the records under way has ended, and nothing is told of the pace; absent where it is itself that. */
  readonly since?: Omit<Seen, 'since'>;
};

/** Records that came together end together: before some of them do, a look tells nothing of their pace; but not for ever. */
const END_TOGETHER_MS = 60_000;

export const NO_TIME: BackfillTime = { workedMs: 0, pace: NO_PACE, last: null };

/** The time after another look. Searches and pages tell nothing of how long records take. Pure. */
export function timeAfter(
  { workedMs, pace, last }: BackfillTime,
  { at, phase, counts, bound }: BackfillPoint,
  order: Order,
): BackfillTime {
  const atMs = Date.parse(at);
  const isWork = phase !== 'find-vendor' && phase !== 'find-crm';
  const requests = workOf(counts, order).spent;
  const now: Seen = { atMs, isWork, requests, quota: bound?.quota ?? null };
  if (last === null || !isWork) return { workedMs, pace, last: now };
  const { since: { ...since } = last } = last;
  const spent = { requests: requests - since.requests, ms: atMs - since.atMs };
  const worked = { workedMs: workedMs + atMs - last.atMs };
  if (!since.isWork) return { ...worked, pace, last: now };
  if (spent.requests === 0 && counts.inFlight > 0 && spent.ms < END_TOGETHER_MS)
    return { ...worked, pace, last: { ...now, since } };
  return { ...worked, pace: paceAfter(pace, spent, { before: since.quota, after: now.quota }), last: now };
}

/**
 * How far a backfill is, and how long it still takes: by the requests that records take, at the pace at which they go and no
 * faster than the vendor's quota lets them. The share of opportunities that the vendor has already is taken from the records
 * matched so far. Pure.
 */
export function progressOf(
  { phase, counts, bound = UNBOUNDED }: Omit<BackfillPoint, 'at'>,
  order: Order,
  { workedMs, pace }: Pick<BackfillTime, 'workedMs' | 'pace'>,
): BackfillProgress {
  const { vendor, crm, outcomes, inFlight } = counts;
  const isVendorTaken = order.from !== 'crm';
  const found = (isVendorTaken ? vendor.found : 0) + crm.found;
  const done = (isVendorTaken ? vendor.done : 0) + crm.done;
  const { left, spent } = workOf(counts, order);
  const seconds = workedMs / 1_000;
  const isToldYet = spent > 0 && seconds > 0 && phase !== 'find-vendor' && phase !== 'find-crm';
  // How many requests a record takes of which fields alone are brought in line is not known: one takes as long as the next.
  const ms = order.fields === undefined ? msLeft(left, bound, pace) : (left * workedMs) / spent;
  const isOver = phase === 'over';
  return {
    ...{ phase, found, done, inFlight, outcomes },
    fraction: isOver ? 1 : spent / Math.max(1, spent + left),
    perSecond: seconds > 0 && done > 0 ? done / seconds : null,
    remainingSeconds: isOver ? 0 : isToldYet ? Math.ceil(ms / 1_000) : null,
  };
}

const UNBOUNDED: BackfillBound = { ratePerSecond: Number.POSITIVE_INFINITY, quota: null };

/** Work that is left, and that is done: in requests, or in records where it is about fields. */
function workOf(counts: BackfillCounts, { from, fields }: Order): Work {
  const { vendor, crm } = counts;
  const isVendorTaken = from !== 'crm';
  if (fields === undefined) return requestsOf(counts, isVendorTaken);
  const spent = (isVendorTaken ? vendor.done : 0) + crm.done;
  return { left: (isVendorTaken ? vendor.found : 0) + crm.found - spent, spent };
}

type Work = { readonly left: number; readonly spent: number };

/** Requests that are left, and that what is done has taken. */
function requestsOf(
  { vendor, crm, paired, inFlight, outcomes }: BackfillCounts,
  isVendorTaken: boolean,
): Work {
  const allPaired = vendor.matched === 0 ? 0 : (paired * vendor.found) / vendor.matched;
  const made = crm.done - (crm.met ?? outcomes['linked'] ?? 0);
  // The share is a guess until the last is looked at: what is under way may have to be made, whatever the share says.
  const isCrmTaken = !isVendorTaken || vendor.done === vendor.found;
  const least = isCrmTaken ? Math.min(inFlight, crm.found - crm.done) : 0;
  const toMake = Math.max(least, crm.found - allPaired - made);
  const ownCalls = isVendorTaken ? CALLS.vendor : 0;
  return {
    left:
      CALLS.match * (vendor.found - vendor.matched) +
      ownCalls * (vendor.found - vendor.done) +
      CALLS.crm * (crm.done === crm.found ? 0 : toMake),
    spent: CALLS.match * vendor.matched + ownCalls * vendor.done + CALLS.crm * made,
  };
}
