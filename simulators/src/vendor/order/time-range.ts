import { toMs } from '../dates.ts';
import type { Fault } from './refusals.ts';

const DAY_MS = 86_400_000;

/** Longest legal range of each time criterion (order spec 4.2). */
export const MAX_WINDOW_MS = {
  creationDateTime: 7 * DAY_MS,
  bookingDateTime: 7 * DAY_MS,
  lastUpdateDateTime: 3 * DAY_MS,
} as const;

export type TimeCriterion = keyof typeof MAX_WINDOW_MS;

/** A resolved range, both bounds inclusive, in epoch milliseconds. */
export type TimeRange = { readonly fromMs: number; readonly toMs: number };

/**
 * Resolves a validated `{from, to}` object by the rules of order spec 4.2: `from` not in the future, `to` later than `from`, no longer than
 * the window. A missing bound is computed from the other.
 */
export function readTimeRange(
  name: TimeCriterion,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): { readonly range: TimeRange } | { readonly fault: Fault } {
  const fault = (detail: string, part = ''): { readonly fault: Fault } => ({
    fault: { detail, pointer: `/${name}${part}` },
  });
  const nowMs = now.getTime();
  const range = resolve(
    from === undefined ? undefined : toMs(from),
    to === undefined ? undefined : toMs(to),
    MAX_WINDOW_MS[name],
    nowMs,
  );
  if (from !== undefined && range.fromMs > nowMs) return fault('must not be in the future.', '/from');
  if (from !== undefined && to !== undefined && range.toMs <= range.fromMs) {
    return fault('must be later than from.', '/to');
  }
  if (range.toMs - range.fromMs > MAX_WINDOW_MS[name]) {
    return fault(`must not span more than ${MAX_WINDOW_MS[name] / DAY_MS} days.`);
  }
  return { range };
}

function resolve(from: number | undefined, to: number | undefined, windowMs: number, nowMs: number): TimeRange {
  const fromMs = from ?? (to ?? nowMs) - windowMs;
  return { fromMs, toMs: to ?? Math.min(fromMs + windowMs, nowMs) };
}
