import { expect, it } from 'vitest';
import { median, nineOfTen, notLivedThrough, problemsOf } from '../fuzz/judge.ts';

const seen = (alone: readonly number[], beside: readonly number[]) => ({ alone, beside, processes: [] });

it.each([
  ['twice as long', [250], [500], 0],
  ['a little more', [250], [501], 1],
  ['much less than a second, and three times as long', [246], [738], 1],
  ['one that took long among many', [250, 250, 250], [400, 400, 20_000], 0],
  ['one that took for ever among many', [250, 250, 250], [400, 400, 36_000], 1],
  ['one that took for ever at rest', [250, 250, 57_000], [400, 400, 400], 1],
  ['less than two looks, whatever the usual time', [10], [200], 0],
  ['more than two looks', [10], [201], 1],
  ['no change at all', [250], [], 1],
])('%s: %j alone and %j beside are %d problems', (_, alone, beside, problems) => {
  expect(problemsOf(seen(alone, beside))).toHaveLength(problems);
});

it('says how many times as long changes took', () => {
  expect(problemsOf(seen([246], [738]))).toEqual(['changes took 738 ms, and 246 ms alone: 3.0 times as long']);
});

it.each([
  ['ended', { isUp: false, memory: [100, 100] }, ['the worker ended']],
  ['grew', { isUp: true, memory: [100, 300, 300] }, ['the worker grew by 200 MB']],
  ['reads a body', { isUp: true, memory: [100, 110, 900] }, []],
])('a worker that %s', (_, process, problems) => {
  expect(notLivedThrough({ ...seen([], []), processes: [{ name: 'worker', ...process }] })).toEqual(problems);
});

it('counts the one in the middle, and the ninth of ten', () => {
  const ten = [10, 1, 9, 2, 8, 3, 7, 4, 6, 5];
  expect([median(ten), nineOfTen(ten)]).toEqual([6, 9]);
});
