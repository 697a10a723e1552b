/** The longest wait, in seconds, for a remote whose usual window length is unknown. */
const UNKNOWN_MOST = 300;
/** The smallest upper limit of a wait, in seconds, for remotes with very short windows. */
const LEAST_MOST = 60;

/**
 * How long a throttled remote is not called, in seconds: as long as its answer says, but at most twice its usual window. Otherwise one
 * wrong header could stop a tenant for an hour; each further answer can make the wait up to twice as long. `usualSeconds`: the length of
 * the remote's last window; null if unknown. Pure.
 */
export function boundedWait(seconds: number, usualSeconds: number | null): number {
  const most = usualSeconds === null ? UNKNOWN_MOST : Math.max(LEAST_MOST, 2 * usualSeconds);
  return Math.min(seconds, most);
}
