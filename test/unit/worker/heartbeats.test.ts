import type { Context } from '@temporalio/activity';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { beatWhileRunning } from '../../../src/worker/heartbeats.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** How many heartbeats an activity with this time-out sends in twenty seconds. */
async function beatsWith(heartbeatTimeoutMs: number | undefined): Promise<number> {
  let beats = 0;
  const heartbeat = (): void => {
    beats += 1;
  };
  const { inbound } = beatWhileRunning({ info: { heartbeatTimeoutMs }, heartbeat } as unknown as Context);
  const ends = Promise.withResolvers<void>();
  const running = inbound?.execute?.({ args: [], headers: {} }, () => ends.promise);
  await vi.advanceTimersByTimeAsync(20_000);
  ends.resolve();
  await running;
  await vi.advanceTimersByTimeAsync(20_000);
  return beats;
}

it.each([
  ['a time-out of 15 seconds, each two seconds while it runs', 15_000, 10],
  // The SDK shows an absent time-out of an activity as 0.
  ['no heartbeat time-out, none, because Temporal Cloud bills them', 0, 0],
  ['no heartbeat time-out, as a local activity, none', undefined, 0],
])('an activity sends heartbeats: with %s', async (_, timeoutMs, beats) => {
  expect(await beatsWith(timeoutMs)).toBe(beats);
});
