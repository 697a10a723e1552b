import type { BackfillCounts, BackfillOrder, BackfillPhase } from './backfill.ts';
import { type BackfillBound, type BackfillQuota, msLeft, NO_PACE, type OwnPace, paceAfter } from './pace.ts';

export type BackfillProgress = {
  /**
   * The number of this backfill among the tenant's backfills, from 1. The entries in the journal (log of decisions) about the backfill's
   * writes contain this number. Absent if an older version began the backfill.
   */
  readonly number?: number;
  readonly phase: BackfillPhase;
  readonly found: number;
  readonly done: number;
  readonly inFlight: number;
  /** The finished part of a backfill's work, between 0 and 1. Each record counts by the number of requests that it takes. */
  readonly fraction: number;
  /** The number of records that a backfill finishes in a second; null before any record is done. */
  readonly perSecond: number | null;
  /** The estimated remaining time of a backfill, in seconds; null before an estimate is possible. */
  readonly remainingSeconds: number | null;
  readonly outcomes: BackfillCounts['outcomes'];
};

/**
 * How many vendor requests a record of a backfill takes. `match`: one read. `vendor` (syncing a vendor record): a read, the write of the
 * partner reference (the CRM record's id), and a read of the written record. `crm` (syncing an opportunity): the create at the vendor, and
 * a read of the new record.
 */
const CALLS = { match: 1, vendor: 3, crm: 2 } as const;

type Order = Pick<BackfillOrder, 'from' | 'fields'>;

/** The counts of a backfill at one moment. */
export type BackfillPoint = {
  /** When the counts were read, ISO. */
  readonly at: string;
  readonly phase: BackfillPhase;
  readonly counts: BackfillCounts;
  /** The number of this backfill among the tenant's backfills; absent in counts that older versions stored. */
  readonly number?: number;
  /** The limits of the backfill's request rate; absent in counts that older versions stored. */
  readonly bound?: BackfillBound;
};

/** The time that a backfill has taken so far, and its measured speed. */
export type BackfillTime = {
  /** Milliseconds that the backfill has spent on matching and syncing, without pauses. */
  readonly workedMs: number;
  readonly pace: OwnPace;
  /** The previous measurement. Null at the start and after a pause, so that the time of the pause does not count as work. */
  readonly last: Seen | null;
};

type Seen = {
  readonly atMs: number;
  readonly isWork: boolean;
  readonly requests: number;
  readonly quota: BackfillQuota | null;
  /**
   * An older measurement, from which the next speed must be computed. It is set while no record has ended since that measurement, so that
   * the speed covers the whole time in which the records were worked on. Absent if the next speed is computed from this measurement.
   */
  readonly since?: Omit<Seen, 'since'>;
};

/**
 * How long, in ms, Lockstep waits for a record to end before it computes a backfill's speed nevertheless. Records that start together also
 * end together, so a shorter time may pass without the end of any record. The computed speed would then be zero.
 */
const END_TOGETHER_MS = 60_000;

export const NO_TIME: BackfillTime = { workedMs: 0, pace: NO_PACE, last: null };

/**
 * Adds one more measurement (the counts at one moment) to the time that a backfill has taken. The phases in which the backfill searches for
 * records do not count, because they do not show how long a record takes. Pure.
 */
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
 * The progress of a backfill, with an estimate of the remaining time. How many opportunities the vendor already has is estimated from the
 * records that were matched so far. Pure.
 */
export function progressOf(
  { phase, counts, number, bound = UNBOUNDED }: Omit<BackfillPoint, 'at'>,
  order: Order,
  { workedMs, pace }: Pick<BackfillTime, 'workedMs' | 'pace'>,
): BackfillProgress {
  const { vendor, crm, outcomes, inFlight } = counts;
  const isVendorTaken = order.from !== 'crm';
  const found = (isVendorTaken ? vendor.found : 0) + crm.found;
  const done = (isVendorTaken ? vendor.done : 0) + crm.done;
  const { left, spent } = workOf(counts, order);
  const seconds = workedMs / 1_000;
  const isKnownYet = spent > 0 && seconds > 0 && phase !== 'find-vendor' && phase !== 'find-crm';
  // The number of requests of a field backfill is unknown, so each of its records counts the same.
  const ms = order.fields === undefined ? msLeft(left, bound, pace) : (left * workedMs) / spent;
  const isOver = phase === 'over';
  return {
    ...(number === undefined ? {} : { number }),
    ...{ phase, found, done, inFlight, outcomes },
    fraction: isOver ? 1 : spent / Math.max(1, spent + left),
    perSecond: seconds > 0 && done > 0 ? done / seconds : null,
    remainingSeconds: isOver ? 0 : isKnownYet ? Math.ceil(ms / 1_000) : null,
  };
}

const UNBOUNDED: BackfillBound = { ratePerSecond: Number.POSITIVE_INFINITY, quota: null };

/**
 * The remaining (`left`) and the finished (`spent`) work of a backfill. It is counted in requests, or in records for a backfill of single
 * fields.
 */
function workOf(counts: BackfillCounts, { from, fields }: Order): Work {
  const { vendor, crm } = counts;
  const isVendorTaken = from !== 'crm';
  if (fields === undefined) return requestsOf(counts, isVendorTaken);
  const spent = (isVendorTaken ? vendor.done : 0) + crm.done;
  return { left: (isVendorTaken ? vendor.found : 0) + crm.found - spent, spent };
}

type Work = { readonly left: number; readonly spent: number };

/**
 * The number of requests that a backfill still has to send (`left`), and the number that its finished records took (`spent`).
 * `isVendorTaken`: whether the backfill syncs the vendor's records.
 */
function requestsOf({ vendor, crm, paired, inFlight, outcomes }: BackfillCounts, isVendorTaken: boolean): Work {
  const allPaired = vendor.matched === 0 ? 0 : (paired * vendor.found) / vendor.matched;
  const made = crm.done - (crm.met ?? outcomes['linked'] ?? 0);
  // `allPaired` is an estimate. Records in progress may still need a create, so at least as many are counted.
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
