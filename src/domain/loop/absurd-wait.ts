/**
 * The longest accepted wait, in seconds, if a remote throttles Lockstep and the usual length of the remote's rate-limit window is unknown.
 */
const UNKNOWN_MOST = 300;
/** A wait of up to this many seconds is always accepted, even if the remote's rate-limit window is usually shorter. */
const LEAST_MOST = 60;

/**
 * How long Lockstep stops calling a remote system that throttles it, in seconds: as long as the remote's answer says, but at most twice the
 * remote's usual rate-limit window. Without this limit, a wrong header could stop a tenant for an hour. `usualSeconds`: the length of the
 * last window; null if unknown. Pure.
 */
export function boundedWait(seconds: number, usualSeconds: number | null): number {
  const most = usualSeconds === null ? UNKNOWN_MOST : Math.max(LEAST_MOST, 2 * usualSeconds);
  return Math.min(seconds, most);
}
