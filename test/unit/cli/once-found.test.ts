import { expect, it } from 'vitest';
import { onceFound } from '../../../src/cli/once-found.ts';

it('looks again every ten seconds, until something is found', () => {
  const clock = { ms: 0 };
  const answers = [null, null, 'http://ui'];
  let searches = 0;
  const ui = onceFound(
    () => {
      searches += 1;
      return answers.shift() ?? null;
    },
    () => clock.ms,
  );
  expect([ui(), ui(), searches]).toEqual([null, null, 1]);
  clock.ms = 9_999;
  expect([ui(), searches]).toEqual([null, 1]);
  clock.ms = 10_000;
  expect([ui(), searches]).toEqual([null, 2]);
  clock.ms = 20_000;
  expect([ui(), ui(), searches]).toEqual(['http://ui', 'http://ui', 3]);
  clock.ms = 99_000;
  expect([ui(), searches]).toEqual(['http://ui', 3]);
});
