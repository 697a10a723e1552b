/**
 * The longest accepted wait, in seconds, if a remote system throttles Lockstep and the usual length of its rate-limit window is unknown.
 */
const UNKNOWN_MOST = 300;
/** A wait of up to this many seconds is always accepted, even if the remote system's rate-limit window is usually shorter. */
const LEAST_MOST = 60;

/**
 * How long Lockstep stops calling a remote system that throttles it, in seconds: as long as the answer of the remote system says
 * (`seconds`), but at most twice its usual rate-limit window. Without this limit, a wrong header could stop a tenant for an hour.
 * `usualSeconds`: the length of the last window; null if unknown. If this is null or short, `UNKNOWN_MOST` or `LEAST_MOST` is the limit.
 * Pure.
 */
export function boundedWait(seconds: number, usualSeconds: number | null): number {
  const most = usualSeconds === null ? UNKNOWN_MOST : Math.max(LEAST_MOST, 2 * usualSeconds);
  return Math.min(seconds, most);
}
