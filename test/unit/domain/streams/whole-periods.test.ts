import { describe, expect, it, test } from 'vitest';
import { PERIOD_SEARCHES } from '../../../../src/domain/streams/period-searches.ts';
import { FIRST_SPAN_MS, periodAfter } from '../../../../src/domain/streams/whole-periods.ts';

const FROM = '2027-01-04T08:00:00.000Z';
const HOUR_MS = 3_600_000;
const LATE = '2028-01-04T08:00:00.000Z';

describe('a period of the past', () => {
  it('begins where it is asked to, and ends a span later', () => {
    expect(periodAfter(FROM, HOUR_MS, LATE).period).toStrictEqual({
      fromDate: FROM,
      toDate: '2027-01-04T09:00:00.000Z',
    });
  });

  it('does not go beyond what is asked', () => {
    const until = '2027-01-04T08:30:00.000Z';
    expect(periodAfter(FROM, HOUR_MS, until).period.toDate).toBe(until);
  });

  it('is at first as long as a search of the poll', () => {
    expect(FIRST_SPAN_MS).toBe(PERIOD_SEARCHES['vendor-sales'].longestMs);
  });
});

test.each([
  [0, HOUR_MS, 2 * HOUR_MS],
  [500, HOUR_MS, 2 * HOUR_MS],
  [501, HOUR_MS, HOUR_MS],
  [2_000, HOUR_MS, HOUR_MS],
  [2_001, HOUR_MS, HOUR_MS / 2],
  [2_001, 60_000, 60_000],
  [0, 32 * FIRST_SPAN_MS, 32 * FIRST_SPAN_MS],
])('after %d ids in %d ms the next one is of %d ms', (found, spanMs, expected) => {
  expect(periodAfter(FROM, spanMs, LATE).nextSpanMs(found)).toBe(expected);
});
