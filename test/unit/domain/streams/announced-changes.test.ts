import { expect, it } from 'vitest';
import {
  afterAnnouncing,
  announcedChange,
  currencyChanges,
  NOTHING_ANNOUNCED,
} from '../../../../src/domain/streams/announced-changes.ts';

it.each([
  ['product', '2 products appeared: A, B'],
  ['accreditation', '2 accreditations appeared: A, B'],
  ['price-list', '2 price lists appeared: A, B'],
  ['component', '2 component appeared: A, B'],
] as const)('names a %s as people do, if they do', (kind, told) => {
  expect(announcedChange({ kind, change: 'appeared', rows: 2, ids: ['A', 'B'] })).toBe(told);
});

it('names one by the kind alone where its id is not known, and no more than five', () => {
  const of = { kind: 'product', change: 'changed' } as const;
  expect(announcedChange({ ...of, rows: 1, ids: [] })).toBe('the product  changed');
  expect(announcedChange({ ...of, rows: 6, ids: ['A', 'B', 'C', 'D', 'E', 'F'] })).toBe(
    '6 products changed: A, B, C, D, E and 1 more',
  );
});

it('tells of currencies that price lists come to have, and no longer have, once any were seen', () => {
  expect(currencyChanges(null, ['EUR'])).toEqual([]);
  expect(currencyChanges(['EUR', 'USD'], ['EUR', 'JPY'])).toEqual(['prices in JPY appeared', 'prices in USD vanished']);
});

it('keeps what it reported for a week, and reports nothing twice of one refresh', () => {
  const day = (n: number) => `2026-03-0${n}T12:00:00.000Z`;
  const first = afterAnnouncing(NOTHING_ANNOUNCED, ['A vanished'], day(1));
  expect(afterAnnouncing(first, ['A vanished'], day(1))).toEqual(first);
  const second = afterAnnouncing(first, ['A appeared'], day(2));
  expect(second.changes.map(({ what }) => what)).toEqual(['A appeared', 'A vanished']);
  expect(afterAnnouncing(second, [], day(8)).changes.map(({ what }) => what)).toEqual(['A appeared']);
});

it('keeps the last hundred of what it reported, each as often as it was reported at another time', () => {
  const [before, now] = ['2026-03-01T12:00:00.000Z', '2026-03-01T13:00:00.000Z'];
  const first = afterAnnouncing(NOTHING_ANNOUNCED, ['A vanished'], before);
  expect(afterAnnouncing(first, ['A vanished', 'B vanished'], now).changes).toEqual([
    { at: now, what: 'A vanished' },
    { at: now, what: 'B vanished' },
    { at: before, what: 'A vanished' },
  ]);
  expect(afterAnnouncing(first, ['B vanished'], before).changes).toHaveLength(2);
  const many = Array.from({ length: 120 }, (_, n) => `${n} vanished`);
  expect(afterAnnouncing(first, many, now).changes).toHaveLength(100);
  expect(NOTHING_ANNOUNCED.changes).toEqual([]);
});
