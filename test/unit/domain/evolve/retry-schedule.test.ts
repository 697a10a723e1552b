import { expect, it } from 'vitest';
import { asksMeanwhile, nextRetry, type WaitClass } from '../../../../src/domain/evolve/retry-schedule.ts';

const SINCE = '2026-03-01T12:00:00.000Z';

function later(minutes: number): string {
  return new Date(Date.parse(SINCE) + minutes * 60_000).toISOString();
}

/** Minutes after the first refusal of each try, each made when it is due. */
function tries(waits: WaitClass, most: number): readonly number[] {
  const found: number[] = [];
  let at = SINCE;
  while (found.length < most) {
    const next = nextRetry(waits, SINCE, at);
    if (next === null) break;
    found.push((Date.parse(next) - Date.parse(SINCE)) / 60_000);
    at = next;
  }
  return found;
}

it('what nobody documents is tried over minutes, then hours, before a person is asked', () => {
  expect(tries('unknown', 20)).toEqual([1, 6, 21, 81, 201, 441]);
});

it('what passes is tried for ever, and a person is notified after a day', () => {
  const found = tries('passing', 60);
  expect(found.slice(0, 8)).toEqual([1, 6, 21, 36, 51, 66, 126, 186]);
  expect(found).toHaveLength(60);
  expect(asksMeanwhile('passing', SINCE, later(23 * 60))).toBe(false);
  expect(asksMeanwhile('passing', SINCE, later(24 * 60))).toBe(true);
  expect(asksMeanwhile('unknown', SINCE, later(1e6))).toBe(false);
});

it.each([
  ['a try in between leaves the next where it was', 2, 6],
  ['one shortly before its time takes its place', 5.9, 21],
  ['a worker that was down for hours goes on where the clock is', 300, 441],
])('%s', (_, minutes, next) => {
  expect(nextRetry('unknown', SINCE, later(minutes))).toBe(later(next));
});
