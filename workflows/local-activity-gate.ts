import { patched, workflowInfo } from '@temporalio/workflow';

/** Wakes that a young run has been signalled at most, and steps that it has taken. */
const [MOST_WAKES, MOST_STEPS] = [4, 4];
/** A wait of less is over before other workers could have come. */
const LONG_WAIT_MS = 30_000;
/** Events of a run that was taken for young before its steps were counted. */
const YOUNG_HISTORY = 50;

/**
 * Whether the next step of a run may run as a local activity, within its workflow task. The server cuts a task off when a hundred signals
 * arrive during it, and a local activity makes the task longer: under a flood of wakes the run counts many signals, and runs none.
 *
 * Signals and steps are counted, never events: a local activity that outlives its workflow task makes the history length differ between the
 * first execution and a replay. For the same reason a task in which a run asks whether it is to continue as new runs none.
 */
export function createLocalActivityGate() {
  let [wakes, steps, hasAsked] = [0, 0, false];
  const isYoung = (): boolean => wakes <= MOST_WAKES && steps <= MOST_STEPS;
  return {
    onSignal: (): void => {
      wakes += 1;
    },
    /** Whether the run may ask, at the end of a wait of `ms`, if it is to go on as a new one. */
    mayAsk: (ms: number): boolean => {
      hasAsked = ms >= LONG_WAIT_MS || !isYoung();
      return hasAsked;
    },
    /** For the next step, whether it may be tried first. */
    next: (): (() => boolean) => {
      const isFree = isYoung() && !hasAsked;
      [steps, hasAsked] = [steps + 1, false];
      return () =>
        isFree || (!patched('local-activity-gate') && workflowInfo().historyLength <= YOUNG_HISTORY);
    },
  };
}

export type LocalActivityGate = ReturnType<typeof createLocalActivityGate>;
