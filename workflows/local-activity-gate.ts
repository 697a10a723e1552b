import { patched, workflowInfo } from '@temporalio/workflow';

/**
 * A run counts as young until it has received more wake signals, or taken more steps, than these numbers. Only a young run uses local
 * activities.
 */
const [MOST_WAKES, MOST_STEPS] = [4, 4];
/** The shortest wait, in ms, after which a run may check for continue-as-new. Newer workers cannot start within a shorter wait. */
const LONG_WAIT_MS = 30_000;
/** History events before the first workflow task of a run, without signals: the run's start, and the schedule and start of the task. */
const FIRST_TASK = 3;
/**
 * The longest history of a young run, in events. Needed only to replay histories from releases that did not yet count signals and steps.
 */
const YOUNG_HISTORY = 50;

export type LocalActivityChecks = {
  /** Whether the step may run first as a local activity. */
  readonly mayRunLocally: () => boolean;
  /**
   * Whether the server handed the current workflow task out before. Known only at a run's first step. A replay may give another result, so
   * only arguments of a local activity may depend on it.
   */
  readonly isRepeated: () => boolean;
};

/**
 * Creates a gate that decides whether the next step of a run may be a local activity. Runs with many signals or steps use none, because
 * Temporal ends a long workflow task when many signals arrive. The gate counts signals and steps, never history events, because their
 * number differs in a replay.
 */
export function createLocalActivityGate() {
  let [wakes, steps, hasAsked] = [0, 0, false];
  const isYoung = (): boolean => wakes <= MOST_WAKES && steps <= MOST_STEPS;
  return {
    onSignal: (): void => {
      wakes += 1;
    },
    /** Whether the run may check for continue-as-new after a wait of `ms`. If so, the next step is no local activity. */
    mayAsk: (ms: number): boolean => {
      hasAsked = ms >= LONG_WAIT_MS || !isYoung();
      return hasAsked;
    },
    /** Counts the next step, and returns the checks for that step. */
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
