import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { endsWithin } from '../../activities/support/ends-within.ts';
import { withinTime } from '../../src/platform/time-limit.ts';

const NEVER = new Promise<never>(() => {});
const FAILED = () => Promise.reject(new Error('out of order'));

it.each([
  ['that has ended', () => Promise.resolve(1), true],
  ['that ends in time', () => delay(5), true],
  ['that fails in time', FAILED, true],
  ['that never ends', () => NEVER, false],
])('work %s ends within a second: %s', async (_, work, expected) => {
  expect(await endsWithin(work(), expected ? 1_000 : 20)).toBe(expected);
});

it('a time limit passes the result and the failure of the work on, and says that it is over', async () => {
  expect(await withinTime(Promise.resolve('done'), 1_000)).toBe('done');
  await expect(withinTime(FAILED(), 1_000)).rejects.toThrow('out of order');
  await expect(withinTime(NEVER, 20)).rejects.toMatchObject({ code: 'TIME_LIMIT', message: 'took longer than 20 ms' });
});
