import { expect, it } from 'vitest';
import {
  afterTelling,
  currencyChanges,
  NOTHING_TOLD,
  toldChange,
} from '../../../../src/domain/streams/told-changes.ts';

it('tells of one row by its id, and of many by the first of them', () => {
  const of = { kind: 'offer', change: 'vanished' } as const;
  expect(toldChange({ ...of, rows: 1, ids: ['IPE2'] })).toBe('the portfolio item IPE2 vanished');
  expect(toldChange({ ...of, rows: 2, ids: ['A', 'B'] })).toBe('2 portfolio items vanished: A, B');
  expect(toldChange({ ...of, rows: 12, ids: ['A', 'B', 'C', 'D', 'E'] })).toBe(
    '12 portfolio items vanished: A, B, C, D, E and 7 more',
  );
});

it('tells of currencies that price lists come to have, and no longer have, once any were seen', () => {
  expect(currencyChanges(null, ['EUR'])).toEqual([]);
  expect(currencyChanges(['EUR', 'USD'], ['EUR', 'JPY'])).toEqual([
    'prices in JPY appeared',
    'prices in USD vanished',
  ]);
});

it('keeps what it told for a week, and tells nothing twice of one refresh', () => {
  const day = (n: number) => `2026-03-0${n}T12:00:00.000Z`;
  const first = afterTelling(NOTHING_TOLD, ['A vanished'], day(1));
  expect(afterTelling(first, ['A vanished'], day(1))).toEqual(first);
  const second = afterTelling(first, ['A appeared'], day(2));
  expect(second.changes.map(({ what }) => what)).toEqual(['A appeared', 'A vanished']);
  expect(afterTelling(second, [], day(8)).changes.map(({ what }) => what)).toEqual(['A appeared']);
});
