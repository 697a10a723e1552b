import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBatcher } from '../../src/salesforce/batcher.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A batcher that notes the size of each run. */
function noting(): { readonly ask: (item: number) => void; readonly runs: number[] } {
  const runs: number[] = [];
  const batcher = createBatcher<number, number>({
    windowMs: 5,
    maxSize: 20,
    crowd: { calls: 3, waitMs: 1_000 },
    run: async (items) => {
      runs.push(items.length);
      return items;
    },
  });
  return { ask: (item) => void batcher.ask(item), runs };
}

describe('a crowd', () => {
  test('few calls wait for the window only', () => {
    const { ask, runs } = noting();
    for (const item of [1, 2, 3]) {
      ask(item);
      vi.advanceTimersByTime(5);
    }
    expect(runs).toEqual([1, 1, 1]);
  });

  test('many calls travel together, and later ones are quick again', () => {
    const { ask, runs } = noting();
    for (let item = 0; item < 10; item += 1) {
      ask(item);
      vi.advanceTimersByTime(50);
    }
    expect(runs).toEqual([1, 1, 1]);
    vi.advanceTimersByTime(1_000);
    expect(runs).toEqual([1, 1, 1, 7]);
    vi.advanceTimersByTime(1_000);
    ask(10);
    vi.advanceTimersByTime(5);
    expect(runs).toEqual([1, 1, 1, 7, 1]);
  });

  test('a full batch does not wait', () => {
    const { ask, runs } = noting();
    for (let item = 0; item < 41; item += 1) ask(item);
    expect(runs).toEqual([20, 20]);
  });
});
