import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBatcher } from '../../src/salesforce/batcher.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A batcher that notes the size of each run. */
function noting(): {
  readonly ask: (item: number, mayWait?: boolean) => Promise<number>;
  readonly runs: number[];
} {
  const runs: number[] = [];
  const batcher = createBatcher<number, number>({
    windowMs: 5,
    maxSize: 20,
    burst: { calls: 3, idleMs: 200, waitMs: 1_000 },
    run: async (items) => {
      runs.push(items.length);
      return items;
    },
  });
  return { ask: (item, mayWait) => batcher.ask(item, undefined, mayWait), runs };
}

/** Asks `count` times, one call each `everyMs`. */
async function askEvery(ask: (item: number) => unknown, count: number, everyMs: number): Promise<void> {
  for (let item = 0; item < count; item += 1) {
    ask(item);
    await vi.advanceTimersByTimeAsync(everyMs);
  }
}

describe('a burst', () => {
  test('few calls wait for the window only', async () => {
    const { ask, runs } = noting();
    await askEvery(ask, 3, 5);
    expect(runs).toEqual([1, 1, 1]);
  });

  test('many calls travel together until nobody comes, and later ones are quick again', async () => {
    const { ask, runs } = noting();
    await askEvery(ask, 10, 50);
    expect(runs).toEqual([1, 1, 1]);
    await vi.advanceTimersByTimeAsync(150);
    expect(runs).toEqual([1, 1, 1, 7]);
    await vi.advanceTimersByTimeAsync(1_000);
    await askEvery(ask, 1, 5);
    expect(runs).toEqual([1, 1, 1, 7, 1]);
  });

  test('nobody waits longer than the limit, however many still come', async () => {
    const { ask, runs } = noting();
    await askEvery(ask, 3 + 15, 100);
    expect(runs).toEqual([1, 1, 1, 10]);
  });

  test('who may not wait is refused, and nobody else', async () => {
    const { ask, runs } = noting();
    await askEvery(ask, 5, 50);
    await expect(ask(5, false)).rejects.toMatchObject({ kind: 'transient', code: 'BURST' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toEqual([1, 1, 1, 2]);
  });

  test('who may not wait is answered at once where there is no burst', async () => {
    const { ask, runs } = noting();
    const answer = ask(1, false);
    await vi.advanceTimersByTimeAsync(5);
    expect([await answer, runs]).toEqual([1, [1]]);
  });

  test('a full batch does not wait', async () => {
    const { ask, runs } = noting();
    for (let item = 0; item < 41; item += 1) void ask(item);
    await vi.advanceTimersByTimeAsync(0);
    expect(runs).toEqual([20, 20]);
  });
});
