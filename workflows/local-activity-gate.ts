import { patched, workflowInfo } from '@temporalio/workflow';

/** Wakes that a young run has heard at most, and steps that it has taken. */
const [MOST_WAKES, MOST_STEPS] = [4, 4];
/** A wait of less is over before other workers could have come. */
const LONG_WAIT_MS = 30_000;
/** Events of a run that was taken for young before its steps were counted. */
const YOUNG_HISTORY = 50;

/**
 * Whether the next step of a run may be tried first within its workflow task, by a local activity. The server cuts a task off when a hundred
 * signals arrive during it, and a local activity makes it longer: under a flood of wakes the run, begun again, has heard them, and
 * tries nothing.
 *
 * What the run has heard and done decides that, never what the task tells of itself, as the length of the history: one that a local
 * activity makes long is continued by others, and a replay takes them for one, which at its beginning tells what only the last knew. For the same
 * reason a task in which a run asks whether it is to go on as a new one tries nothing.
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
