/** The part of the vendor's rate limit that a backfill may use, computed from the limits in the vendor's last answers. */
export type BackfillQuota = {
  /** How many requests the backfill may send in a whole window of the vendor's rate limit, at least 1. */
  readonly perWindow: number;
  readonly windowMs: number;
  /** How many requests the backfill may still send in the current window of the vendor's rate limit. */
  readonly left: number;
  /** Milliseconds until the current window of the vendor's rate limit ends. */
  readonly resetMs: number;
};

/** The limits of a backfill's request rate: the tenant's highest rate, and the vendor's quota. */
export type BackfillBound = {
  readonly ratePerSecond: number;
  /** The backfill's share of the vendor's quota; null if no answer of the vendor has reported the quota. */
  readonly quota: BackfillQuota | null;
};

/**
 * The vendor's rate limit as the ledger (Lockstep's database) stores it. `until`: when the current window ends, ISO. `bulkUsed`: how many
 * requests of bulk work (backfills and undos) were sent in the window.
 */
type QuotaRow = {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly bulkUsed: number;
  readonly until: string;
  readonly seconds: number;
};

/**
 * The part of the vendor's rate limit that a backfill may use at an instant (ISO). `share`: the backfill's fraction of the limit. Null if
 * the limit is unknown. Once the window of the limit in `row` has ended, the whole share is available again.
 */
export function quotaOfShare(row: QuotaRow | undefined, share: number, at: string): BackfillQuota | null {
  if (row === undefined || row.limit === null || row.limit === 0 || row.remaining === null) return null;
  const perWindow = Math.max(1, Math.floor(row.limit * share));
  const windowMs = Math.max(1, row.seconds) * 1_000;
  const resetMs = Date.parse(row.until) - Date.parse(at);
  if (resetMs <= 0) return { perWindow, windowMs, left: perWindow, resetMs: windowMs };
  return {
    perWindow,
    windowMs,
    left: Math.max(0, Math.min(row.remaining, perWindow - row.bulkUsed)),
    resetMs,
  };
}

/**
 * The measured speed of a backfill: how many requests its records took in how many ms, without the time of waiting for the vendor's quota.
 * Older measurements have less weight.
 */
export type OwnPace = { readonly requests: number; readonly ms: number };

export const NO_PACE: OwnPace = { requests: 0, ms: 0 };

/** The time, in ms, after which a measurement of the speed has only about a third of its weight, so that newer measurements count more. */
const FORGOTTEN_MS = 60_000;
/**
 * The assumed speed of a backfill counts as much as a measurement over this time, in ms. At first, a backfill is assumed to work at the
 * allowed rate, because the first measurements are unreliable.
 */
const ASSUMED_MS = 5_000;

/**
 * A backfill's measured speed after one more measurement (`spent`). `before` and `after`: the vendor's quota when this measurement began
 * and ended. Time in which the quota was used up does not count.
 */
export function paceAfter(
  pace: OwnPace,
  spent: OwnPace,
  { before, after }: { readonly before: BackfillQuota | null; readonly after: BackfillQuota | null },
): OwnPace {
  if (after?.left === 0) {
    const least = { requests: after.perWindow, ms: Math.max(1, after.windowMs - after.resetMs) };
    return least.requests * pace.ms > pace.requests * least.ms || pace.ms === 0 ? least : pace;
  }
  const freeMs = before === null ? spent.ms : freeMsOf(spent, before);
  if (freeMs === null || freeMs <= 0) return pace;
  const kept = Math.exp(-freeMs / FORGOTTEN_MS);
  return { requests: kept * pace.requests + spent.requests, ms: kept * pace.ms + freeMs };
}

/**
 * A part of a measured time: its length in ms, and the maximum number of requests that the vendor's quota allowed in it. A measured time is
 * split at the ends of the quota's windows, because each window has its own maximum. The parts are the rest of the current window, all
 * whole windows together, and the begun last window.
 */
type Part = { readonly ms: number; readonly most: number };

/**
 * The milliseconds of a measured time in which the vendor's quota did not limit the backfill. Only this time shows the backfill's own
 * speed. The computation assumes that the requests were sent evenly. Null if the quota limited the backfill the whole time.
 */
function freeMsOf({ requests, ms }: OwnPace, { perWindow, windowMs, left, resetMs }: BackfillQuota): number | null {
  const later = Math.max(0, ms - resetMs);
  const whole = Math.floor(later / windowMs);
  let open: readonly Part[] = [
    { ms: Math.min(ms, resetMs), most: left },
    { ms: whole * windowMs, most: whole * perWindow },
    { ms: later - whole * windowMs, most: perWindow },
  ];
  let rest = requests;
  for (;;) {
    const openMs = open.reduce((sum, part) => sum + part.ms, 0);
    if (openMs === 0) return null;
    const perMs = rest / openMs;
    const full = open.filter((part) => part.most <= perMs * part.ms);
    if (full.length === 0) return perMs === 0 ? openMs : requests / perMs;
    rest -= full.reduce((sum, { most }) => sum + most, 0);
    open = open.filter((part) => !full.includes(part));
  }
}

/**
 * How many milliseconds a number of requests will take at the measured speed, within the tenant's highest rate and the vendor's quota for
 * each window. Pure.
 */
export function msLeft(requests: number, bound: BackfillBound, pace: OwnPace): number {
  const { quota } = bound;
  const perMs = paceOf(pace, bound);
  if (quota === null) return requests / perMs;
  const ofThisWindow = Math.min(quota.left, perMs * quota.resetMs);
  if (requests <= ofThisWindow) return requests / perMs;
  const ofEach = Math.min(quota.perWindow, perMs * quota.windowMs);
  const further = requests - ofThisWindow;
  const whole = Math.ceil(further / ofEach) - 1;
  return quota.resetMs + whole * quota.windowMs + (further - whole * ofEach) / perMs;
}

/**
 * Limits how many records a backfill works on at once. The limit is the number of requests that the highest allowed rate permits in this
 * many seconds. Each record counts as one request here.
 */
const SECONDS_UNDER_WAY = 4;
/**
 * Also limits how many records a backfill works on at once. The limit is the number of requests that the backfill sends in this many
 * seconds at its measured speed. Each record counts as one request here. The time is long, so that the limit allows more records than the
 * measured speed needs. Otherwise the speed could not grow.
 */
const SECONDS_OF_PACE = 8;
const [FEWEST, MOST] = [10, 100];

/**
 * The maximum number of records that a backfill may work on at once. It is limited because these records occupy the worker. A user's edit
 * that comes meanwhile waits in the worker until they are done. Pure.
 */
export function mostUnderWay(mostPerSecond: number, { requests, ms }: OwnPace): number {
  const ofRate = SECONDS_UNDER_WAY * mostPerSecond;
  const ofPace = ms < ASSUMED_MS ? ofRate : (SECONDS_OF_PACE * 1_000 * requests) / ms;
  return Math.min(MOST, Math.max(FEWEST, Math.ceil(Math.min(ofRate, ofPace))));
}

/**
 * The estimated speed of a backfill, in requests a millisecond. It is the measured speed, mixed with an assumed speed while there are few
 * measurements, and at most the tenant's highest rate.
 */
function paceOf({ requests, ms }: OwnPace, { ratePerSecond, quota }: BackfillBound): number {
  const most = ratePerSecond / 1_000;
  const assumed = Math.min(most, quota === null ? most : quota.perWindow / quota.windowMs);
  // Stored progress of older versions has no limits. The estimate then uses the measured pace alone.
  if (assumed === Number.POSITIVE_INFINITY) return requests / ms;
  // Measured time fades, so the assumed time must fade too.
  const assumedMs = ASSUMED_MS * Math.max(0, 1 - ms / FORGOTTEN_MS) ** 2;
  return Math.min(most, (requests + assumed * assumedMs) / (ms + assumedMs));
}
