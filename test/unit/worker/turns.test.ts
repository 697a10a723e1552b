import { expect, test } from 'vitest';
import { createTurns } from '../../../src/worker/turns.ts';

const turns = () => createTurns({ perSecond: 4, longestMs: 10_000 });
const times = (count: number, next: () => number) => Array.from({ length: count }, next);

test('those that fail at once come again one after the other', () => {
  const { next } = turns();
  expect(times(4, () => next('acme', 0))).toEqual([250, 500, 750, 1_000]);
});

test('a turn that is over takes nothing from those who fail later', () => {
  const { next } = turns();
  times(4, () => next('acme', 0));
  expect(next('acme', 900)).toBe(350);
  expect(next('acme', 5_000)).toBe(250);
});

test('a tenant waits for none of its neighbours', () => {
  const { next } = turns();
  times(100, () => next('hostile', 0));
  expect(next('acme', 0)).toBe(250);
});

test('nobody waits longer than the longest', () => {
  const { next } = turns();
  expect(Math.max(...times(1_000, () => next('acme', 0)))).toBe(10_000);
  expect(next('acme', 6_000)).toBe(4_250);
});
