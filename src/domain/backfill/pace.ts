/** The part of the vendor's quota that is left to a backfill, as answers told last. */
export type BackfillQuota = {
  /** Requests of a whole window, at least 1. */
  readonly perWindow: number;
  readonly windowMs: number;
  /** Requests of the window that is running. */
  readonly left: number;
  /** Until that one ends. */
  readonly resetMs: number;
};

/** What bounds how fast a backfill may ask the vendor. */
export type BackfillBound = {
  /** The tenant's rate. */
  readonly ratePerSecond: number;
  /** Null where no answer has told it. */
  readonly quota: BackfillQuota | null;
};

/** What is known of a quota, as the ledger keeps it; `until` ISO. */
type QuotaRow = {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly bulkUsed: number;
  readonly until: string;
  readonly seconds: number;
};

/** The share of a quota, as it is at an instant (ISO). A window that is over is followed by a whole one of the same length. */
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

/** Requests that records took, and in how much time, while no quota held them up; what is long ago counts less. */
export type OwnPace = { readonly requests: number; readonly ms: number };

export const NO_PACE: OwnPace = { requests: 0, ms: 0 };

/** What was so long ago counts a third. */
const FORGOTTEN_MS = 60_000;
/** So long a time at what the tenant's rate and its quota allow counts from the beginning: a first moment tells little. */
const ASSUMED_MS = 5_000;

/**
 * The pace after some more requests in some more time. `before` and `after`: the quota as that time began and ended, which tell
 * when it had run out: that time does not count. Where it has run out in the end, that window's requests took no longer than
 * there has been of it.
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

/** Some time of one window or more, and the requests that they let through. */
type Part = { readonly ms: number; readonly most: number };

/**
 * How much of a time no quota held the requests up: at one pace all along, each window lets through what it has left. Null
 * where all did, so that it tells nothing of the pace.
 */
function freeMsOf(
  { requests, ms }: OwnPace,
  { perWindow, windowMs, left, resetMs }: BackfillQuota,
): number | null {
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
 * Milliseconds that so many requests still take: at the own pace, no faster than the tenant's rate, and in no window more than the
 * quota lets through. Pure.
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

/** Seconds of requests that records under way may stand for: each needs some, and waits for others to travel with. */
const SECONDS_UNDER_WAY = 4;
/** As many at the pace at which they go, so that they may become more where nothing but their number holds that back. */
const SECONDS_OF_PACE = 8;
const [FEWEST, MOST] = [10, 100];

/**
 * Records that may be under way together, at so many requests a second at most and at the pace so far. More of them than go through
 * in seconds only wait in the worker, and whatever a user edits waits behind them. Pure.
 */
export function mostUnderWay(mostPerSecond: number, { requests, ms }: OwnPace): number {
  const ofRate = SECONDS_UNDER_WAY * mostPerSecond;
  const ofPace = ms < ASSUMED_MS ? ofRate : (SECONDS_OF_PACE * 1_000 * requests) / ms;
  return Math.min(MOST, Math.max(FEWEST, Math.ceil(Math.min(ofRate, ofPace))));
}

/** Requests a millisecond. */
function paceOf({ requests, ms }: OwnPace, { ratePerSecond, quota }: BackfillBound): number {
  const most = ratePerSecond / 1_000;
  const assumed = Math.min(most, quota === null ? most : quota.perWindow / quota.windowMs);
  // Told before bounds were: there is only what was seen.
  if (assumed === Number.POSITIVE_INFINITY) return requests / ms;
  // What is long ago is forgotten of the own pace, so that what was only assumed has to fade too.
  const assumedMs = ASSUMED_MS * Math.max(0, 1 - ms / FORGOTTEN_MS) ** 2;
  return Math.min(most, (requests + assumed * assumedMs) / (ms + assumedMs));
}
