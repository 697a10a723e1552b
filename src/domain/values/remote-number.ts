/** The longest wait that a remote can impose. Then Lockstep asks again, because a remote can send any number. */
export const LONGEST_WAIT_MS = 3_600_000;

/** The largest count. It fits into an integer column of the database. */
const MOST = 1_000_000_000;

/** Limits a remote's wait to whole milliseconds from 0 to one hour. NaN becomes 0. */
export function boundedWaitMs(ms: number): number {
  return within(ms, LONGEST_WAIT_MS);
}

/** Limits a remote's count to a whole number from 0 to a thousand million. NaN becomes 0. */
export function boundedCount(count: number): number {
  return within(count, MOST);
}

function within(value: number, most: number): number {
  return Number.isNaN(value) ? 0 : Math.round(Math.min(most, Math.max(0, value)));
}
