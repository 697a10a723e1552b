import { describe, expect, it } from 'vitest';
import { batchByDemand } from '../../src/platform/batch-by-demand.ts';

/** A run that the test lets end, and what it was asked for. */
function heldRun() {
  const asked: (readonly number[])[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const run = async (items: readonly number[]) => {
    asked.push(items);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    await end.promise;
    return items.map((item) => `answer ${item}`);
  };
  return { asked, ends, run };
}

describe('batching by demand', () => {
  it('lets a lone item leave at once', () => {
    const { asked, run } = heldRun();
    void batchByDemand(run, 10)(1);
    expect(asked).toEqual([[1]]);
  });

  it('gathers what is asked for while a run is under way, and answers each by its own', async () => {
    const { asked, ends, run } = heldRun();
    const ask = batchByDemand(run, 3);
    const answers = [1, 2, 3, 4, 5].map(ask);

    ends[0]?.resolve();
    await answers[0];
    await expect.poll(() => asked).toEqual([[1], [2, 3, 4]]);
    ends[1]?.resolve();
    await answers[3];
    await expect.poll(() => asked).toEqual([[1], [2, 3, 4], [5]]);
    ends[2]?.resolve();

    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5].map((item) => `answer ${item}`));
  });

  it('tells all of a run that failed, and goes on with the next', async () => {
    const { ends, run } = heldRun();
    const ask = batchByDemand(run, 10);
    const first = ask(1);
    const failing = [ask(2), ask(3)];

    ends[0]?.resolve();
    await first;
    await expect.poll(() => ends.length).toBe(2);
    const later = ask(4);
    ends[1]?.reject(new Error('away'));

    for (const one of failing) await expect(one).rejects.toThrow('away');
    await expect.poll(() => ends.length).toBe(3);
    ends[2]?.resolve();
    await expect(later).resolves.toBe('answer 4');
  });
});
