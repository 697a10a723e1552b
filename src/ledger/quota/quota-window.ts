import { boundedCount, boundedWaitMs } from '../../domain/values/remote-number.ts';

/**
 * What is known of a rate limit (sales spec section 8: limit, remaining, seconds to the reset), as pure arithmetic.
 * The headers' numbers are snapshots that arrive late and out of order, while others have requests under way; so
 * within one window the smaller of what we counted and what was seen holds. Times are epoch milliseconds.
 */
export type QuotaWindow = {
  readonly limit: number | null;
  /** Null: unknown, everything passes. */
  readonly remaining: number | null;
  /** Requests of bulk work in it. */
  readonly bulkUsed: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Length to assume when a window ends unseen. */
  readonly seconds: number;
  /** Begun by us when the last one ended; no answer has confirmed it yet. */
  readonly assumed: boolean;
};

export type QuotaSeen = {
  readonly limit: number | null;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly atMs: number;
};

/** The reset is told in whole seconds, so two answers of one window may differ by one, and a bit for the way. */
const SLACK_MS = 1500;

/**
 * What of a quota a request may take. `share`: it is one of bulk work, to which this share of the limit is left, one request at
 * least. `onlySpare`: nobody waits for it; it takes what others would have left by now had they asked evenly all along.
 */
export type QuotaClaim = { readonly share?: number; readonly onlySpare?: true };

/** Takes one request out of the window; null when nothing is left before its end, or nothing of what it may take. */
export function takeOne(
  window: QuotaWindow,
  atMs: number,
  { share, onlySpare }: QuotaClaim = {},
): QuotaWindow | null {
  const bulk = share === undefined ? 0 : 1;
  if (atMs >= window.endMs) return { ...takeOneOfNext(window, atMs), bulkUsed: bulk };
  const { remaining, limit, bulkUsed } = window;
  if (remaining === null) return window;
  if (remaining === 0) return null;
  if (share !== undefined && limit !== null && bulkUsed >= Math.max(1, Math.floor(limit * share)))
    return null;
  if (onlySpare && spareAtMs(window, 1) > atMs) return null;
  return { ...window, remaining: remaining - 1, bulkUsed: bulkUsed + bulk };
}

/**
 * When so many requests are spare, epoch milliseconds, if nobody else asks until then: the rest of the window has by then at least its even
 * part of the limit left for others. After the window's end where it has too little, as if the next one followed at the same pace.
 */
export function spareAtMs({ remaining, limit, endMs, seconds }: QuotaWindow, requests: number): number {
  if (remaining === null || limit === null || limit === 0) return Number.NEGATIVE_INFINITY;
  return endMs - ((remaining - requests) * lengthMs(seconds)) / limit;
}

function lengthMs(seconds: number): number {
  return Math.max(1, seconds) * 1000;
}

/** The window is over: a known limit starts full again, of the same length; an unknown one allows until told. */
function takeOneOfNext(window: QuotaWindow, atMs: number): QuotaWindow {
  return {
    ...window,
    // One passes even under a limit of 0: only an answer can tell that the limit was lifted.
    remaining: window.limit === null ? null : Math.max(0, window.limit - 1),
    startMs: atMs,
    endMs: atMs + lengthMs(window.seconds),
    assumed: true,
  };
}

/** The window after an answer. */
export function afterAnswer(known: QuotaWindow | null, seen: QuotaSeen): QuotaWindow {
  const remaining = boundedCount(seen.remaining);
  const resetMs = boundedWaitMs(seen.resetSeconds * 1000);
  const told: QuotaWindow = {
    limit: seen.limit === null ? (known?.limit ?? null) : boundedCount(seen.limit),
    remaining,
    bulkUsed: 0,
    startMs: seen.atMs,
    endMs: seen.atMs + resetMs,
    seconds: Math.round(resetMs / 1000),
    assumed: false,
  };
  if (known === null) return told;
  if (isOfAnEarlierWindow(known, told, seen.atMs)) return known;
  const { bulkUsed } = known;
  if (!isSameWindow(known, told)) {
    if (!isBlockOver(known, told, seen.atMs)) return known;
    // Only a window that ends later is a fresh one.
    return told.endMs > known.endMs + SLACK_MS ? told : { ...told, bulkUsed };
  }
  return {
    ...told,
    bulkUsed,
    remaining: known.remaining === null ? remaining : Math.min(known.remaining, remaining),
    startMs: known.startMs,
    // Not before the reset, whichever of the two tells it later; an assumed end gives way to a told one.
    endMs: known.assumed ? told.endMs : Math.max(known.endMs, told.endMs),
    seconds: known.assumed ? told.seconds : Math.max(known.seconds, told.seconds),
  };
}

/**
 * All answers of one window tell the same end. One that tells another end, or another limit, speaks of another window,
 * and the vendor knows best: a reset that is nearer than we thought must not be waited for any longer.
 */
function isSameWindow(known: QuotaWindow, told: QuotaWindow): boolean {
  if (told.limit !== known.limit && known.limit !== null) return false;
  return known.assumed || Math.abs(told.endMs - known.endMs) <= SLACK_MS;
}

/** Once nothing is left, only the reset, or another answer that nothing is left, changes how long to wait. */
function isBlockOver(known: QuotaWindow, told: QuotaWindow, atMs: number): boolean {
  return known.remaining !== 0 || told.remaining === 0 || atMs >= known.endMs;
}

/** An answer that came before our window began, and whose window had ended by then, tells nothing of ours. */
function isOfAnEarlierWindow(known: QuotaWindow, told: QuotaWindow, atMs: number): boolean {
  if (atMs >= known.startMs) return false;
  return told.endMs <= known.startMs + (known.assumed ? SLACK_MS : 0);
}
