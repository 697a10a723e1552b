import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBatcher } from '../../src/salesforce/batcher.ts';
import { createBurstGauge } from '../../src/salesforce/burst-gauge.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A batcher whose runs take `runMs`, with the size of each run; `onTheirWay` is how many are coming. */
function noting({ runMs = 10 } = {}) {
  const runs: number[] = [];
  const burst = { onTheirWay: 1 };
  const batcher = createBatcher<number, number>({
    maxSize: 20,
    gauge: createBurstGauge(async () => burst.onTheirWay),
    run: async (items) => {
      runs.push(items.length);
      await new Promise((settle) => setTimeout(settle, runMs));
      return items;
    },
  });
  return { ...batcher, runs, burst };
}

type Noting = ReturnType<typeof noting>;

/** Asks `count` times, one call each `everyMs`; how long each waited for its answer. */
async function askEvery({ ask }: Noting, count: number, everyMs: number): Promise<readonly number[]> {
  const waited: number[] = [];
  for (let item = 0; item < count; item += 1) {
    const startMs = performance.now();
    void ask(item, undefined, true).then(() => waited.push(performance.now() - startMs));
    await vi.advanceTimersByTimeAsync(everyMs);
  }
  return waited;
}

describe('where few are on their way', () => {
  test('nothing waits, however steadily it comes', async () => {
    const door = noting({ runMs: 300 });
    expect(await askEvery(door, 20, 1_000)).toEqual(Array.from({ length: 20 }, () => 300));
    expect(door.runs).toEqual(Array.from({ length: 20 }, () => 1));
  });

  test('what is asked for at once travels together', async () => {
    const door = noting();
    for (let item = 0; item < 7; item += 1) void door.ask(item);
    await vi.advanceTimersByTimeAsync(10);
    expect(door.runs).toEqual([7]);
  });

  test('what waits while two runs are under way leaves with the next one', async () => {
    const door = noting({ runMs: 1_000 });
    await askEvery(door, 10, 100);
    await vi.advanceTimersByTimeAsync(10);
    expect(door.runs).toEqual([1, 1, 8]);
  });

  test('a run that hangs holds nobody up', async () => {
    const runs: number[] = [];
    const batcher = createBatcher<number, number>({
      maxSize: 20,
      run: async (items) => {
        runs.push(items.length);
        if (items.includes(0)) await new Promise(() => undefined);
        return items;
      },
    });
    void batcher.ask(0);
    await vi.advanceTimersByTimeAsync(1);
    for (const item of [1, 2]) {
      const answer = batcher.ask(item);
      await vi.advanceTimersByTimeAsync(1);
      expect(await answer).toBe(item);
    }
    expect(runs).toEqual([1, 1, 1]);
  });

  test('however many hang, nobody waits for them long', async () => {
    const door = noting({ runMs: 30_000 });
    await askEvery(door, 3, 10);
    expect(door.runs).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(door.runs).toEqual([1, 1, 1]);
    await askEvery(door, 5, 2_500);
    expect(door.runs.reduce((sum, size) => sum + size, 0)).toBe(8);
  });

  test('nobody waits while it is not known how many there are', async () => {
    const batcher = createBatcher<number, number>({
      maxSize: 20,
      gauge: createBurstGauge(() => Promise.reject(new Error('the ledger is out'))),
      run: async (items) => items,
    });
    const answer = batcher.ask(1, undefined, true);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toBe(1);
  });
});

describe('where a burst is on its way', () => {
  test.each([10, 50, 200, 700])('a run leaves full, though one comes in %d ms', async (everyMs) => {
    const door = noting();
    door.burst.onTheirWay = 200;
    await askEvery(door, 60, everyMs);
    expect(door.runs).toEqual([20, 20, 20]);
  });

  test('a run leaves once all that is still to come waits', async () => {
    const door = noting();
    door.burst.onTheirWay = 9;
    await askEvery(door, 9, 50);
    expect(door.runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(door.runs).toEqual([9]);
  });

  test('the last ones of it do not wait, nor does who comes later', async () => {
    const door = noting();
    door.burst.onTheirWay = 30;
    await askEvery(door, 20, 10);
    door.burst.onTheirWay = 3;
    await askEvery(door, 3, 50);
    expect(door.runs).toEqual([20, 1, 1, 1]);
  });

  test('of a burst that is stuck elsewhere nobody waits long', async () => {
    const door = noting();
    door.burst.onTheirWay = 100;
    await askEvery(door, 3, 10);
    await vi.advanceTimersByTimeAsync(3_900);
    expect(door.runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(700);
    expect(door.runs).toEqual([3]);
  });

  test('nobody waits longer than the limit, however slowly it comes', async () => {
    const door = noting();
    door.burst.onTheirWay = 100;
    await askEvery(door, 15, 1_000);
    expect(door.runs).toEqual([15]);
  });

  test('who may not wait leaves at once, and takes along what waits', async () => {
    const door = noting();
    door.burst.onTheirWay = 100;
    const burst = Promise.all([1, 2, 3].map((item) => door.ask(item, undefined, true)));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(door.runs).toEqual([]);
    const alone = door.ask(4);
    await vi.advanceTimersByTimeAsync(10);
    expect([await alone, await burst, door.runs]).toEqual([4, [1, 2, 3], [4]]);
  });

  test('who may not wait is not asked whether company is to come', async () => {
    const looks = vi.fn(async () => 100);
    const batcher = createBatcher<number, number>({
      maxSize: 20,
      gauge: createBurstGauge(looks),
      run: async (items) => items,
    });
    const answer = batcher.ask(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toBe(1);
    expect(looks).not.toHaveBeenCalled();
  });

  test('who may not wait is before what waited longer, where not all find room', async () => {
    const door = noting({ runMs: 1_000 });
    door.burst.onTheirWay = 200;
    void door.ask(0);
    await vi.advanceTimersByTimeAsync(10);
    void door.ask(1);
    await vi.advanceTimersByTimeAsync(10);
    const waits = Array.from({ length: 19 }, (_, item) => door.ask(10 + item, undefined, true));
    const alone = [door.ask(2), door.ask(3)];
    await vi.advanceTimersByTimeAsync(2_010);
    expect(await Promise.all(alone)).toEqual([2, 3]);
    expect(door.runs).toEqual([1, 1, 20]);
    await vi.advanceTimersByTimeAsync(17_000);
    expect((await Promise.all(waits)).length).toBe(19);
  });

  test('those that wait can go along with another request, and are answered by it', async () => {
    const door = noting();
    door.burst.onTheirWay = 100;
    const answers = [1, 2, 3].map((item) => door.ask(item, undefined, true));
    expect(door.take(2)).toBeNull();
    await vi.advanceTimersByTimeAsync(10);
    expect(door.waiting()).toBe(3);
    const taken = door.take(2);
    expect(taken?.items).toEqual([1, 2]);
    taken?.answer([10, 20]);
    expect(await Promise.all(answers.slice(0, 2))).toEqual([10, 20]);
    door.take(2)?.fail(new Error('away'));
    await expect(answers[2]).rejects.toThrow('away');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(door.runs).toEqual([]);
  });

  test('what has been given up waits for nothing, and is not carried', async () => {
    const door = noting();
    door.burst.onTheirWay = 100;
    const abort = new AbortController();
    const given = expect(door.ask(0, abort.signal, true)).rejects.toMatchObject({ code: 'ABORTED' });
    await askEvery(door, 1, 10);
    abort.abort();
    await given;
    await askEvery(door, 18, 10);
    expect(door.runs).toEqual([]);
    await askEvery(door, 1, 10);
    expect(door.runs).toEqual([20]);
  });

  test('what waits is refused when the adapter is closed', async () => {
    const door = noting();
    door.burst.onTheirWay = 100;
    const waits = expect(door.ask(0, undefined, true)).rejects.toMatchObject({
      kind: 'transient',
      code: 'CLOSED',
    });
    await vi.advanceTimersByTimeAsync(10);
    door.close();
    await waits;
  });
});
