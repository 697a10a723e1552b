import { expect, test } from 'vitest';
import { unstableForMs } from '../../../../src/domain/values/crm-stamp.ts';

test.each([
  ['at its stamp', '2026-03-10T08:00:00.000Z', 2_000],
  ['within its second', '2026-03-10T08:00:00.600Z', 1_400],
  ['in the next second, which another clock of the org may not have reached', '2026-03-10T08:00:01.000Z', 1_000],
  ['in the second after', '2026-03-10T08:00:02.000Z', 0],
  ['long after', '2026-03-11T08:00:00.000Z', 0],
  ['before its stamp, as a clock says that runs behind', '2026-03-10T07:59:00.000Z', 2_000],
  ['nobody knows when', null, 2_000],
])('a reading taken %s', (_, readAt, expected) => {
  expect(unstableForMs('2026-03-10T08:00:00.000Z', readAt)).toBe(expected);
});

test('the second counts, and not what a stamp says below it', () => {
  expect(unstableForMs('2026-03-10T08:00:00.900Z', '2026-03-10T08:00:01.900Z')).toBe(100);
});
