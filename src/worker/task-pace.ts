/** The limit of concurrent workflow tasks, per processor: its minimum, its first value, and its maximum. */
const PER_PROCESSOR = { least: 2, first: 4, most: 16 } as const;
/**
 * Thresholds for the average duration of workflow tasks, in ms. If tasks take longer than `slow`, the limit is halved. If they take less
 * than `quick`, the limit may rise.
 */
const TASK_MS = { slow: 2_000, quick: 1_000 } as const;
/** The limit of concurrent tasks is computed again after this many ms, or as soon as the number of ended tasks reaches the limit. */
const SPAN_MS = 2_000;

/** A limit for a worker's concurrent workflow tasks, which depends on how long the tasks take. */
export interface TaskPace {
  limit(): number;
  /**
   * Adds up how long tasks run, and computes the limit again after `SPAN_MS`, or once as many tasks have ended as the limit allows. Each
   * call adds the time since the last call, once for each running task. Must be called before the number of running tasks changes. `tasks`:
   * the number of running tasks before the change. `isFull`: whether further tasks wait.
   */
  runs(tasks: number, isFull: boolean): void;
  /** Counts a task that has ended, for the average duration of tasks. Must be called each time a task ends. */
  ended(): void;
}

/**
 * Creates a limit of concurrent tasks: it is halved while tasks are slow, and rises step by step while tasks are quick and further tasks
 * wait. A task that never ends counts as slow. `nowMs` is any monotonic clock.
 */
export function createTaskPace(processors: number, most: number, nowMs: () => number): TaskPace {
  const [least, highest] = [PER_PROCESSOR.least, PER_PROCESSOR.most].map((each) =>
    Math.min(most, Math.max(2, each * processors)),
  ) as [number, number];
  let limit = Math.min(highest, PER_PROCESSOR.first * processors);
  let [since, at, taskMs, ends, wasFull] = [nowMs(), nowMs(), 0, 0, false];
  const reconsider = (now: number): void => {
    if (ends < limit && now - since < SPAN_MS) return;
    const eachMs = taskMs / Math.max(1, ends);
    if (eachMs > TASK_MS.slow) limit = Math.max(least, Math.floor(limit / 2));
    else if (eachMs < TASK_MS.quick && wasFull) limit = Math.min(highest, limit + processors);
    [since, taskMs, ends, wasFull] = [now, 0, 0, false];
  };
  return {
    limit: () => limit,
    runs: (tasks, isFull) => {
      const now = nowMs();
      [taskMs, at, wasFull] = [taskMs + tasks * (now - at), now, wasFull || isFull];
      reconsider(now);
    },
    ended: () => {
      ends += 1;
    },
  };
}
