import { condition, setHandler } from '@temporalio/workflow';
import type { Command } from '../src/domain/loop/step.ts';
import { isLong } from './history.ts';
import { probeNowSignal } from './messages.ts';

type Wait = Extract<Command, { type: 'wait' }>;

/**
 * Makes the function by which a workflow run waits. A wait ends when its time is over, when an operator sends a signal, or, if it is
 * `interruptible`, when a wake signal arrives. It also ends if signals have made the history long, because Temporal accepts at most 10,000
 * signals for a run.
 */
export function createWaits() {
  let isAskedNow = false;
  setHandler(probeNowSignal, () => {
    isAskedNow = true;
  });
  return async ({ ms, interruptible }: Wait, summary: string, woken: () => boolean): Promise<void> => {
    // A wait of zero sets no timer, which saves five history events.
    if (ms === 0) return;
    isAskedNow = false;
    await condition(() => isAskedNow || (interruptible && woken()) || isLong(), ms, { summary });
  };
}
