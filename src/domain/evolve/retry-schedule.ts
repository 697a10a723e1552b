/**
 * When what a side refused is tried again, and when a person is asked. `passing`: the side says that it passes. `unknown`: nobody
 * documents what its answer means. Minutes after the try before; the last one repeats where no person is asked for it.
 */
export const RETRY_SCHEDULES = {
  passing: { minutes: [1, 5, 15, 15, 15, 15, 60], asksAfterHours: 24 },
  unknown: { minutes: [1, 5, 15, 60, 120, 240], asksAfterHours: null },
} as const satisfies Readonly<Record<string, RetrySchedule>>;

type RetrySchedule = {
  readonly minutes: readonly number[];
  /** A person is told so long after the first refusal, and it is tried on; null: a person is asked once the minutes are over. */
  readonly asksAfterHours: number | null;
};

export type WaitClass = keyof typeof RETRY_SCHEDULES;

const MINUTE_MS = 60_000;
/** A try that comes so shortly before its time, as by another change of the record, takes the place of it. */
const SLACK_MS = 30_000;

/**
 * When it is tried again, ISO; null where the schedule of an answer that nobody documents is over. By the time since the first refusal, so
 * that tries in between, as by a change of the record, do not bring a person's turn nearer. Pure.
 */
export function nextRetry(waits: WaitClass, since: string, at: string): string | null {
  const sinceMs = Date.parse(since);
  const soonestMs = Date.parse(at) + SLACK_MS;
  const { minutes, asksAfterHours } = RETRY_SCHEDULES[waits];
  let dueMs = sinceMs;
  for (const minute of minutes) {
    dueMs += minute * MINUTE_MS;
    if (dueMs >= soonestMs) return new Date(dueMs).toISOString();
  }
  if (asksAfterHours === null) return null;
  const everyMs = (minutes.at(-1) ?? 1) * MINUTE_MS;
  const steps = Math.ceil((soonestMs - dueMs) / everyMs);
  return new Date(dueMs + steps * everyMs).toISOString();
}

/** Whether a person is told of what is still tried again by the schedule. */
export function asksMeanwhile(waits: WaitClass, since: string, at: string): boolean {
  const { asksAfterHours } = RETRY_SCHEDULES[waits];
  return asksAfterHours !== null && Date.parse(at) - Date.parse(since) >= asksAfterHours * 60 * MINUTE_MS;
}
