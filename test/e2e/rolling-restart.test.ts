/** A small sample of a roll from one release to the next: workers of two builds work beside each other under a two-way load. */
import { expect, it } from 'vitest';
import { runRoll } from '../chaos/run-roll.ts';

it('loses and doubles nothing, and fails no task, when the workers roll to the next build', async () => {
  const result: string[] = [];
  const { problems, summary } = await runRoll({
    seed: 'roll',
    records: 8,
    loadMs: 10_000,
    calmLimitMs: 120_000,
    tell: (line) => result.push(line),
    signal: new AbortController().signal,
  });
  expect(problems, [...result, summary].join('\n')).toEqual([]);
}, 240_000);
