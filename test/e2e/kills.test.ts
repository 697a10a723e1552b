/** A small sample of `npm run chaos`: every program of the stack is killed once under a two-way load. */
import { expect, it } from 'vitest';
import { runChaos } from '../chaos/run-chaos.ts';

const SEED = 'sample';

it('loses and doubles nothing when worker, receiver, PostgreSQL and Temporal are killed', async () => {
  const result: string[] = [];
  const { problems, summary } = await runChaos({
    seed: SEED,
    records: 25,
    kills: 4,
    loadMs: 20_000,
    calmLimitMs: 200_000,
    tell: (line) => result.push(line),
    signal: new AbortController().signal,
  });
  expect(problems, [...result, summary].join('\n')).toEqual([]);
}, 300_000);
