/** The longest wait, in seconds, for a remote whose usual window length is unknown. */
const UNKNOWN_MOST = 300;
/** The limit of a wait is at least this, in seconds, even for a remote with very short windows. */
const LEAST_MOST = 60;

/**
 * How long a throttled remote is not called, in seconds: as long as its answer says, but at most twice its usual window. Otherwise one
 * wrong header could stop a tenant for an hour; a remote that insists is given up to twice as long each time. `usualSeconds`: its last
 * window's length; null if unknown. Pure.
 */
export function boundedWait(seconds: number, usualSeconds: number | null): number {
  const most = usualSeconds === null ? UNKNOWN_MOST : Math.max(LEAST_MOST, 2 * usualSeconds);
  return Math.min(seconds, most);
}
