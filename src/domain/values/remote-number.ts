/**
 * Numbers that a remote tells are whatever it sends. Here they become numbers that timers, tables and Temporal take: a
 * remote is never waited for longer than an hour, and then asked again.
 */
export const LONGEST_WAIT_MS = 3_600_000;

/** Fits into an integer of the database. */
const MOST = 1_000_000_000;

/** Milliseconds to wait, whole, 0 to one hour. What is no number is no wait. */
export function boundedWaitMs(ms: number): number {
  return within(ms, LONGEST_WAIT_MS);
}

/** A count, whole, 0 to a thousand million. What is no number counts nothing. */
export function boundedCount(count: number): number {
  return within(count, MOST);
}

function within(value: number, most: number): number {
  return Number.isNaN(value) ? 0 : Math.round(Math.min(most, Math.max(0, value)));
}
