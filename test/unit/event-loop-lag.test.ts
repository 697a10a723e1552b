import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createEventLoopLag } from '../../src/platform/event-loop-lag.ts';
import { processMetrics } from '../../src/platform/process-metrics.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The lag after ten seconds in which the thread was held for `heldMs` of each `everyMs`, and `restMs` in which it was not. */
async function lagWith(heldMs: number, everyMs: number, restMs: number): Promise<number> {
  let now = 0;
  const lag = createEventLoopLag(() => now);
  const beFree = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 10) {
      now += 10;
      await vi.advanceTimersByTimeAsync(10);
    }
  };
  while (now < 10_000) {
    await beFree(everyMs - heldMs);
    now += heldMs;
  }
  await beFree(restMs);
  return Math.round(lag.ms());
}

it.each([
  ['nothing holds it', 0, 100, 0, [0, 0]],
  ['a collection of garbage now and then', 100, 5_000, 0, [0, 5]],
  ['held four fifths of the time', 200, 250, 0, [60, 120]],
  ['held for long each time', 2_000, 2_500, 0, [500, 1_200]],
  ['ten seconds after it was held', 2_000, 2_500, 10_000, [0, 20]],
] as const)('%s', async (_, heldMs, everyMs, restMs, [least, most]) => {
  const lag = await lagWith(heldMs, everyMs, restMs);
  expect(lag).toBeGreaterThanOrEqual(least);
  expect(lag).toBeLessThanOrEqual(most);
});

it('shows the lag and the heap, without labels', async () => {
  const text = await processMetrics({ ms: () => 1_500 })();
  expect(text).toContain('\nlockstep_event_loop_lag_seconds 1.5\n');
  expect(text).toMatch(/^lockstep_heap_used_bytes \d{7,}$/m);
  expect(text).toMatch(/^lockstep_heap_limit_bytes \d{7,}$/m);
});
