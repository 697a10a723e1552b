import { expect, test } from 'vitest';
import { boundedCount, boundedWaitMs, LONGEST_WAIT_MS } from '../../../../src/domain/values/remote-number.ts';

test.each([
  [0, 0],
  [1.5, 2],
  [-1, 0],
  [LONGEST_WAIT_MS, LONGEST_WAIT_MS],
  [LONGEST_WAIT_MS + 1, LONGEST_WAIT_MS],
  [Number.POSITIVE_INFINITY, LONGEST_WAIT_MS],
  [Number.NaN, 0],
])('a wait of %s ms is one of %s ms', (result, waited) => {
  expect(boundedWaitMs(result)).toBe(waited);
});

test.each([
  [7, 7],
  [-7, 0],
  [99_999_999_999, 1_000_000_000],
  [Number.NaN, 0],
])('a count of %s is %s', (result, counted) => {
  expect(boundedCount(result)).toBe(counted);
});
