import { condition, setHandler } from '@temporalio/workflow';
import type { Command } from '../src/domain/loop/step.ts';
import { isLong } from './history.ts';
import { probeNowSignal } from './messages.ts';

type Wait = Extract<Command, { type: 'wait' }>;

/**
 * Makes the function by which a run waits. A wait ends after its time, by an operator's signal, or, if `interruptible`, by a wake signal.
 * It also ends if signals have made the history long, because Temporal accepts at most 10,000 signals a run.
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
