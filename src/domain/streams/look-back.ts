/**
 * How far into the past a stream (regular read of changed rows) reads when it is read for the first time, in milliseconds. For older
 * changes, an operator starts a backfill.
 */
export const FIRST_LOOK_BACK_MS = 86_400_000;

/** The instant `ms` milliseconds before `at`; ISO in, ISO out. */
export function earlier(at: string, ms: number): string {
  return new Date(Date.parse(at) - ms).toISOString();
}
