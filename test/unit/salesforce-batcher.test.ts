import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBatcher } from '../../src/salesforce/batcher.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A batcher that notes the size of each run. */
function noting(): { readonly ask: (item: number, patienceMs?: number) => void; readonly runs: number[] } {
  const runs: number[] = [];
  const batcher = createBatcher<number, number>({
    windowMs: 5,
    maxSize: 20,
    crowd: { calls: 3, idleMs: 200, waitMs: 1_000 },
    run: async (items) => {
      runs.push(items.length);
      return items;
    },
  });
  return { ask: (item, patienceMs) => void batcher.ask(item, undefined, patienceMs), runs };
}

/** Asks `count` times, one call each `everyMs`. */
function askEvery(ask: (item: number) => void, count: number, everyMs: number): void {
  for (let item = 0; item < count; item += 1) {
    ask(item);
    vi.advanceTimersByTime(everyMs);
  }
}

describe('a crowd', () => {
  test('few calls wait for the window only', () => {
    const { ask, runs } = noting();
    askEvery(ask, 3, 5);
    expect(runs).toEqual([1, 1, 1]);
  });

  test('many calls travel together until nobody comes, and later ones are quick again', () => {
    const { ask, runs } = noting();
    askEvery(ask, 10, 50);
    expect(runs).toEqual([1, 1, 1]);
    vi.advanceTimersByTime(150);
    expect(runs).toEqual([1, 1, 1, 7]);
    vi.advanceTimersByTime(1_000);
    askEvery(ask, 1, 5);
    expect(runs).toEqual([1, 1, 1, 7, 1]);
  });

  test('nobody waits longer than the limit, however many still come', () => {
    const { ask, runs } = noting();
    askEvery(ask, 3 + 15, 100);
    expect(runs).toEqual([1, 1, 1, 10]);
  });

  test('who has less patience takes the others along', () => {
    const { ask, runs } = noting();
    askEvery(ask, 5, 50);
    ask(5, 20);
    vi.advanceTimersByTime(20);
    expect(runs).toEqual([1, 1, 1, 3]);
  });

  test('a full batch does not wait', () => {
    const { ask, runs } = noting();
    for (let item = 0; item < 41; item += 1) ask(item);
    expect(runs).toEqual([20, 20]);
  });
});
