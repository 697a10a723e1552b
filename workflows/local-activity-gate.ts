import { patched, workflowInfo } from '@temporalio/workflow';

/** The most wakes and steps of a run that counts as young. */
const [MOST_WAKES, MOST_STEPS] = [4, 4];
/** A shorter wait ends before other workers could start. */
const LONG_WAIT_MS = 30_000;
/** The longest history of a young run, for histories from before the gate counted steps. */
const YOUNG_HISTORY = 50;

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
    /** Counts the next step, and returns a check of whether it may be a local activity. */
    next: (): (() => boolean) => {
      const isFree = isYoung() && !hasAsked;
      [steps, hasAsked] = [steps + 1, false];
      return () =>
        isFree || (!patched('local-activity-gate') && workflowInfo().historyLength <= YOUNG_HISTORY);
    },
  };
}

export type LocalActivityGate = ReturnType<typeof createLocalActivityGate>;
