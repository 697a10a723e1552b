/**
 * How refused writes are retried: minutes between attempts. `passing`: the side says that its refusal is temporary, so the last interval
 * repeats without end. `unknown`: the answer is undocumented, so retries end with the last interval.
 */
export const RETRY_SCHEDULES = {
  passing: { minutes: [1, 5, 15, 15, 15, 15, 60], asksAfterHours: 24 },
  unknown: { minutes: [1, 5, 15, 60, 120, 240], asksAfterHours: null },
} as const satisfies Readonly<Record<string, RetrySchedule>>;

type RetrySchedule = {
  readonly minutes: readonly number[];
  /**
   * After how many hours since the first refusal a person is notified, while retries go on. Null: a person is notified only when the
   * retries end.
   */
  readonly asksAfterHours: number | null;
};

export type WaitClass = keyof typeof RETRY_SCHEDULES;

const MINUTE_MS = 60_000;
/** A retry is left out if another attempt comes at most this long (ms) before it, for another cause such as a change of the record. */
const SLACK_MS = 30_000;

/**
 * The time of the next retry of a refused write, ISO; null if there are no more retries. `since`: when the write was first refused, ISO.
 * `at`: the present time, ISO. The times of all retries are counted from `since`, and not from the number of attempts. So an attempt for
 * another reason, such as a change of the record, does not use up a retry of the schedule. Pure.
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

/** Whether a person is notified although retries go on, because the write has been refused for many hours. */
export function asksMeanwhile(waits: WaitClass, since: string, at: string): boolean {
  const { asksAfterHours } = RETRY_SCHEDULES[waits];
  return asksAfterHours !== null && Date.parse(at) - Date.parse(since) >= asksAfterHours * 60 * MINUTE_MS;
}
