import { describe, expect, it } from 'vitest';
import { afterSearch, type PeriodCursor, type PeriodSearch } from '../../../../src/domain/streams/period-cursor.ts';

const RULES = { longestMs: 86_400_000, overlapMs: 300_000, sharedMs: 0 };
const NOW = '2026-03-10T12:00:00.000Z';
const FUTURE = '2040-01-01T00:00:00.000Z';
const at = (time: string): string => `2026-03-10T${time}.000Z`;

/** Where a cursor goes on that stands in a future, once the vendor tells another time. */
function goesOn(given: Partial<PeriodCursor>, vendorNow: string) {
  const cursor = { until: FUTURE, settledUntil: FUTURE, aheadMs: 0, ...given };
  const search: PeriodSearch = { period: { fromDate: FUTURE, toDate: FUTURE }, kind: 'new' };
  const answered = { vendorNow, answeredAt: NOW, follows: null };
  return afterSearch(cursor, search, answered, RULES).cursor;
}

describe('a cursor in a future that the vendor once gave', () => {
  it('goes back to the answer before this one', () => {
    expect(goesOn({ answeredAt: at('11:58:00') }, NOW)).toEqual({
      until: at('11:58:00'),
      settledUntil: at('11:53:00'),
      answeredAt: NOW,
      aheadMs: 0,
    });
  });

  it.each([
    ['no answer before', {}],
    ['an answer before that our own clock has not reached', { answeredAt: at('12:10:00') }],
  ])('goes back to the vendor’s present with %s', (_, given) => {
    expect(goesOn(given, at('11:59:00'))).toMatchObject({ until: at('11:59:00'), aheadMs: -60_000 });
  });
});

describe('a cursor that the overlap explains', () => {
  const stands = (until: string, vendorNow: string) => goesOn({ until, settledUntil: at('11:00:00') }, vendorNow).until;

  it.each([
    ['12:05:00', NOW],
    ['12:06:00', at('12:01:00')],
  ])('stays at %s', (until, vendorNow) => {
    expect(stands(at(until), vendorNow)).toBe(at(until));
  });
});
