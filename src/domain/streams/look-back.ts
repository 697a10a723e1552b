/** Changes of this long before a stream is read for the first time are taken in; older ones are a backfill's work. */
export const FIRST_LOOK_BACK_MS = 86_400_000;

/** The instant so many milliseconds before another; ISO in, ISO out. */
export function earlier(at: string, ms: number): string {
  return new Date(Date.parse(at) - ms).toISOString();
}
