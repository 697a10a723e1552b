/** The longest time, in seconds, for which a throttled remote is not called if the usual length of its rate-limit window is unknown. */
const UNKNOWN_MOST = 300;
/** A wait may always last this long, in seconds, however short the remote's rate-limit window usually is. */
const LEAST_MOST = 60;

/**
 * How long Lockstep stops calling a throttled remote system, in seconds: as long as its answer says, but at most twice its usual rate-limit
 * window, because a wrong header could otherwise stop a tenant for an hour. `usualSeconds`: the length of the last window; null if unknown.
 * Pure.
 */
export function boundedWait(seconds: number, usualSeconds: number | null): number {
  const most = usualSeconds === null ? UNKNOWN_MOST : Math.max(LEAST_MOST, 2 * usualSeconds);
  return Math.min(seconds, most);
}
