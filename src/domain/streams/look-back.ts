/** How far into the past a new stream reads, in milliseconds. Older changes need a backfill, which an operator starts. */
export const FIRST_LOOK_BACK_MS = 86_400_000;

/** The instant `ms` milliseconds before `at`; ISO in, ISO out. */
export function earlier(at: string, ms: number): string {
  return new Date(Date.parse(at) - ms).toISOString();
}
