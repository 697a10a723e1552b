/** A remote that tells no usual length of its window is asked again after this at the latest, in seconds. */
const UNKNOWN_MOST = 300;
/** A remote that tells very short windows is still left alone for so long, in seconds. */
const LEAST_MOST = 60;

/**
 * How long a throttled remote is left alone, in seconds: as long as it says, but at most twice what it usually says. One header of one
 * answer would stop a tenant for an hour otherwise; a remote that means it says so again, and is left alone for twice as long each time.
 * `usualSeconds`: the length of its last window; null where that is not known. Pure.
 */
export function boundedWait(seconds: number, usualSeconds: number | null): number {
  const most = usualSeconds === null ? UNKNOWN_MOST : Math.max(LEAST_MOST, 2 * usualSeconds);
  return Math.min(seconds, most);
}
