/**
 * The maximum time, in ms, that Lockstep waits because a remote system demands it. A remote system may demand a longer wait, but Lockstep
 * sends a request again after this time.
 */
export const LONGEST_WAIT_MS = 3_600_000;

/** The maximum count (such as a rate limit) that Lockstep accepts from a remote system. It fits into an integer column of the database. */
const MOST = 1_000_000_000;

/** Limits the wait that a remote system demands to whole milliseconds from 0 to one hour. NaN becomes 0. */
export function boundedWaitMs(ms: number): number {
  return within(ms, LONGEST_WAIT_MS);
}

/** Limits a remote system's count to a whole number from 0 to a thousand million. NaN becomes 0. */
export function boundedCount(count: number): number {
  return within(count, MOST);
}

function within(value: number, most: number): number {
  return Number.isNaN(value) ? 0 : Math.round(Math.min(most, Math.max(0, value)));
}
