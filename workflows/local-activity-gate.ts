import { patched, workflowInfo } from '@temporalio/workflow';

/** A workflow run uses local activities until it has received more than this many wake signals, or taken more than this many steps. */
const [MOST_WAKES, MOST_STEPS] = [4, 4];
/**
 * The shortest wait, in ms, after which a run with local activities checks whether workers of a newer version exist. If they do, the run
 * continues as new on them. New workers take longer than this to start, so a check after a shorter wait would hardly ever find any.
 * Besides, no local activity may follow such a check (see `mayAsk`).
 */
const LONG_WAIT_MS = 30_000;
/**
 * How many history events a workflow run has before its first workflow task, not counting signals: the start of the run, and the schedule
 * and start of the task.
 */
const FIRST_TASK = 3;
/**
 * The history length, in events, up to which a workflow run could use local activities in older releases, which did not count signals and
 * steps. Needed only to replay the histories of such runs.
 */
const YOUNG_HISTORY = 50;

export type LocalActivityChecks = {
  /** Whether the next step may be tried first as a local activity. */
  readonly mayRunLocally: () => boolean;
  /**
   * Whether the server has already given the current workflow task to a worker before; the worker then refuses the local activity. Known
   * only at a run's first step; false at later steps. A replay may give another result, so no choice of the workflow may depend on it.
   * Arguments of a local activity may, because a replay does not compare them with the history.
   */
  readonly isRepeated: () => boolean;
};

/**
 * Makes the gate that decides whether the next step of a workflow run may be a local activity. A workflow task lasts until its local
 * activity ends, and Temporal ends a task when a hundred signals arrive during it. Therefore a run with many signals uses no local
 * activities. A run with many steps uses none either, because its record is probably saved again and again. The gate counts signals and
 * steps, never history events, because the number of events can be different in a replay.
 */
export function createLocalActivityGate() {
  let [wakes, steps, hasAsked] = [0, 0, false];
  const isYoung = (): boolean => wakes <= MOST_WAKES && steps <= MOST_STEPS;
  return {
    onSignal: (): void => {
      wakes += 1;
    },
    /**
     * Whether the run may check, after a wait of `ms`, if it should continue as new. True after a long wait, and in a run with many signals
     * or steps. If true, the next step must be an ordinary activity. Reason: in a workflow task with a local activity, the check may have
     * another result in a replay than in the first execution, and the replay would then fail.
     */
    mayAsk: (ms: number): boolean => {
      hasAsked = ms >= LONG_WAIT_MS || !isYoung();
      return hasAsked;
    },
    /** Counts the next step, and returns the checks that apply to it. */
    next: (): LocalActivityChecks => {
      const [isFree, isFirst] = [isYoung() && !hasAsked, steps === 0];
      [steps, hasAsked] = [steps + 1, false];
      return {
        mayRunLocally: () =>
          isFree || (!patched('local-activity-gate') && workflowInfo().historyLength <= YOUNG_HISTORY),
        isRepeated: () => isFirst && workflowInfo().historyLength > FIRST_TASK + wakes,
      };
    },
  };
}

export type LocalActivityGate = ReturnType<typeof createLocalActivityGate>;
