import { patched, workflowInfo } from '@temporalio/workflow';

/** The most wakes and steps of a run that counts as young. */
const [MOST_WAKES, MOST_STEPS] = [4, 4];
/** A shorter wait ends before other workers could start. */
const LONG_WAIT_MS = 30_000;
/** Events up to the start of a run's first workflow task, without signals: the run's start, and the task's schedule and start. */
const FIRST_TASK = 3;
/** The longest history of a young run, for histories from before the gate counted steps. */
const YOUNG_HISTORY = 50;

export type LocalActivityChecks = {
  /** Whether the step may run first as a local activity. */
  readonly mayRunLocally: () => boolean;
  /**
   * Whether the workflow task was handed out before and cut off, as more events show than a first task has; known for the first step alone.
   * A replay may see another history length, so only the arguments of a local activity may depend on it: the history keeps its result.
   */
  readonly isRepeated: () => boolean;
};

/**
 * Decides whether a run's next step may be a local activity. Temporal ends a workflow task when a hundred signals arrive during it, and a
 * local activity makes the task longer. So a run under a flood of wakes uses none.
 *
 * The gate counts signals and steps, never history events: a long local activity spreads over several tasks that a replay sees as one, so
 * the history length differs. For that reason, a task that checks for continue-as-new uses no local activity either.
 */
export function createLocalActivityGate() {
  let [wakes, steps, hasAsked] = [0, 0, false];
  const isYoung = (): boolean => wakes <= MOST_WAKES && steps <= MOST_STEPS;
  return {
    onSignal: (): void => {
      wakes += 1;
    },
    /** Whether the run may check for continue-as-new after a wait of `ms`. */
    mayAsk: (ms: number): boolean => {
      hasAsked = ms >= LONG_WAIT_MS || !isYoung();
      return hasAsked;
    },
    /** Counts the next step, and returns checks for it. */
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
