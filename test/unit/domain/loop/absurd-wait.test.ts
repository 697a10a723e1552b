import { expect, it } from 'vitest';
import { boundedWait } from '../../../../src/domain/loop/absurd-wait.ts';

it.each<[asked: number, usual: number | null, waits: number]>([
  [10, null, 10],
  [300, null, 300],
  [301, null, 300],
  [100, 40, 80],
  [80, 40, 80],
  [61, 10, 60],
  [7_200, 1_800, 3_600],
])('a remote that asks for %i s, with a usual window of %s s, is not called for %i s', (asked, usual, waits) => {
  expect(boundedWait(asked, usual)).toBe(waits);
});
