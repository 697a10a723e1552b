import { condition, setHandler } from '@temporalio/workflow';
import type { Command } from '../src/domain/loop/step.ts';
import { isLong } from './history.ts';
import { probeNowSignal } from './messages.ts';

type Wait = Extract<Command, { type: 'wait' }>;

/**
 * How a run waits: to the end, until a person ends it or a wake where one may wake it, or until the history has become long: wakes that
 * come meanwhile make it so, and one run takes 10,000 of them at most.
 */
export function createWaits() {
  let isAskedNow = false;
  setHandler(probeNowSignal, () => {
    isAskedNow = true;
  });
  return async ({ ms, interruptible }: Wait, summary: string, woken: () => boolean): Promise<void> => {
    // A timer, and the task when it fires, are five events.
    if (ms === 0) return;
    isAskedNow = false;
    await condition(() => isAskedNow || (interruptible && woken()) || isLong(), ms, { summary });
  };
}
