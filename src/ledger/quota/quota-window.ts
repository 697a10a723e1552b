import { boundedCount, boundedWaitMs } from '../../domain/values/remote-number.ts';

/**
 * The state of one of the vendor's rate limits in the current window (sales spec section 8: limit, remaining, seconds to the reset).
 * Computed without I/O. Several requests are on their way at once, so answers arrive late and out of order. An answer may therefore report
 * more remaining requests than there are. So, within a window, `remaining` is the smaller of two numbers: Lockstep's own count and the
 * vendor's number. Times are epoch milliseconds.
 */
export type QuotaWindow = {
  readonly limit: number | null;
  /** The requests left in the window. Null if unknown; then every request is allowed. */
  readonly remaining: number | null;
  /** How many requests of bulk work (a backfill or an undo) were sent in the quota's current window. */
  readonly bulkUsed: number;
  readonly startMs: number;
  readonly endMs: number;
  /** The length, in seconds, that is assumed for the next window until an answer reports another one. */
  readonly seconds: number;
  /** Whether this window is only assumed: the last one that the vendor reported has ended, and no answer has reported a new one. */
  readonly assumed: boolean;
};

export type QuotaSeen = {
  readonly limit: number | null;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly atMs: number;
};

/**
 * Two reset times that differ by at most this many ms count as equal, because the vendor reports whole seconds and answers take time to
 * arrive.
 */
const SLACK_MS = 1500;

/**
 * How much of a quota a request may use. `share`: for bulk work (a backfill or an undo), the part of the limit, from 0 to 1, that all bulk
 * requests of one window together may use. One bulk request per window is allowed even if the share is less than one request. `onlySpare`:
 * for work that no user waits for. Such a request may be sent only if enough requests remain after it for other work. Enough means: other
 * work can send requests evenly until the window ends, at a rate of `limit` requests per window.
 */
export type QuotaClaim = { readonly share?: number; readonly onlySpare?: true };

/**
 * Takes one request out of the window, and returns the new window. Null if the window has no requests left, or if `claim` does not allow
 * another request.
 */
export function takeOne(window: QuotaWindow, atMs: number, { share, onlySpare }: QuotaClaim = {}): QuotaWindow | null {
  const bulk = share === undefined ? 0 : 1;
  if (atMs >= window.endMs) return { ...takeOneOfNext(window, atMs), bulkUsed: bulk };
  const { remaining, limit, bulkUsed } = window;
  if (remaining === null) return window;
  if (remaining === 0) return null;
  if (share !== undefined && limit !== null && bulkUsed >= Math.max(1, Math.floor(limit * share))) return null;
  if (onlySpare && spareAtMs(window, 1) > atMs) return null;
  return { ...window, remaining: remaining - 1, bulkUsed: bulkUsed + bulk };
}

/**
 * The instant, in epoch milliseconds, from which `requests` requests are spare (other work does not need them), if nothing is sent before.
 * They are spare if the remaining requests without them are enough for other work until the window ends. Other work is assumed to send
 * requests evenly, at a rate of `limit` requests per window. If the instant is after the window's end, the next window is assumed to be
 * like this one.
 */
export function spareAtMs({ remaining, limit, endMs, seconds }: QuotaWindow, requests: number): number {
  if (remaining === null || limit === null || limit === 0) return Number.NEGATIVE_INFINITY;
  return endMs - ((remaining - requests) * lengthMs(seconds)) / limit;
}

function lengthMs(seconds: number): number {
  return Math.max(1, seconds) * 1000;
}

/**
 * Takes one request out of the window that follows `window`, for use after `window` has ended. The new window is assumed to have the same
 * length and the full quota, until the vendor answers. If the limit is unknown, every request is allowed.
 */
function takeOneOfNext(window: QuotaWindow, atMs: number): QuotaWindow {
  return {
    ...window,
    // One request passes even with a limit of 0, because only an answer shows that the limit was lifted.
    remaining: window.limit === null ? null : Math.max(0, window.limit - 1),
    startMs: atMs,
    endMs: atMs + lengthMs(window.seconds),
    assumed: true,
  };
}

/**
 * The window that is known after an answer of the vendor. An answer that belongs to an earlier window changes nothing. Null as `known`: no
 * window was known before.
 */
export function afterAnswer(known: QuotaWindow | null, seen: QuotaSeen): QuotaWindow {
  const remaining = boundedCount(seen.remaining);
  const resetMs = boundedWaitMs(seen.resetSeconds * 1000);
  const answered: QuotaWindow = {
    limit: seen.limit === null ? (known?.limit ?? null) : boundedCount(seen.limit),
    remaining,
    bulkUsed: 0,
    startMs: seen.atMs,
    endMs: seen.atMs + resetMs,
    seconds: Math.round(resetMs / 1000),
    assumed: false,
  };
  if (known === null) return answered;
  if (isOfAnEarlierWindow(known, answered, seen.atMs)) return known;
  const { bulkUsed } = known;
  if (!isSameWindow(known, answered)) {
    if (!isBlockOver(known, answered, seen.atMs)) return known;
    // Only an answer with a later end is about a new window. After any other answer, the count of bulk requests stays.
    return answered.endMs > known.endMs + SLACK_MS ? answered : { ...answered, bulkUsed };
  }
  return {
    ...answered,
    bulkUsed,
    remaining: known.remaining === null ? remaining : Math.min(known.remaining, remaining),
    startMs: known.startMs,
    // Keeps the later of both ends. The answer replaces an assumed end.
    endMs: known.assumed ? answered.endMs : Math.max(known.endMs, answered.endMs),
    seconds: known.assumed ? answered.seconds : Math.max(known.seconds, answered.seconds),
  };
}

/**
 * Whether the answer is about the known window. All answers about one window report the same limit and, except for `SLACK_MS`, the same
 * end. The limit is not compared if the known limit is null, nor the end if the known window is only assumed.
 */
function isSameWindow(known: QuotaWindow, answered: QuotaWindow): boolean {
  if (answered.limit !== known.limit && known.limit !== null) return false;
  return known.assumed || Math.abs(answered.endMs - known.endMs) <= SLACK_MS;
}

/**
 * Whether an answer about another window may replace the known window. While the known window has no requests left, it blocks all requests.
 * A late answer with an old number must not end this block. So a window without requests is replaced only after its end, or by an answer
 * that also reports none left. Such an answer does not end the block.
 */
function isBlockOver(known: QuotaWindow, answered: QuotaWindow, atMs: number): boolean {
  return known.remaining !== 0 || answered.remaining === 0 || atMs >= known.endMs;
}

/** Whether the answer belongs to a window that ended before the known window began. */
function isOfAnEarlierWindow(known: QuotaWindow, answered: QuotaWindow, atMs: number): boolean {
  if (atMs >= known.startMs) return false;
  return answered.endMs <= known.startMs + (known.assumed ? SLACK_MS : 0);
}
