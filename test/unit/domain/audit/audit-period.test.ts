import { describe, expect, it } from 'vitest';
import { afterPeriod, firstPeriods, isProven, nextPeriod } from '../../../../src/domain/audit/audit-period.ts';

const NOW = '2027-01-10T00:00:00.000Z';
const LATE_MS = 300_000;

/** The periods that an audit goes through when its searches find so many. */
function periods(proven: string | null, found: (n: number) => number, most = 100) {
  let progress = firstPeriods(NOW, proven, LATE_MS);
  const all = [];
  for (let n = 0; n < most; n += 1) {
    const period = nextPeriod(progress);
    if (period === null) return all;
    all.push(period);
    progress = afterPeriod(progress, period, found(n));
  }
  return all;
}

describe('the periods of an audit', () => {
  it.each<[string, string | null, (n: number) => number]>([
    ['nothing is found', null, () => 0],
    ['much is found', null, (n) => (n < 20 ? 3_000 : 100)],
    ['an audit has ended before', '2027-01-09T00:00:00.000Z', () => 600],
  ])('leave no gap from the present to the begin of time where %s', (_, proven, found) => {
    const all = periods(proven, found, 50_000);
    expect(all[0]?.toDate).toBe(NOW);
    expect(all.at(-1)?.fromDate).toBe('1970-01-01T00:00:00.000Z');
    for (const [n, { fromDate }] of all.entries()) if (n + 1 < all.length) expect(all[n + 1]?.toDate).toBe(fromDate);
  });

  it.each([
    ['twice as long after few', 500, 2],
    ['as long after more', 501, 1],
    ['as long after many', 2_000, 1],
    ['half as long after too many', 2_001, 0.5],
  ])('are %s', (_, found, factor) => {
    const progress = { until: NOW, lengthMs: 3_600_000, cut: null };
    const period = { fromDate: '2027-01-09T23:00:00.000Z', toDate: NOW };
    expect(afterPeriod(progress, period, found)).toEqual({
      until: period.fromDate,
      lengthMs: factor * 3_600_000,
      cut: null,
    });
  });

  it('end once where the last audit proved, and are no longer for it', () => {
    const cut = '2027-01-08T23:55:00.000Z';
    const first = firstPeriods(NOW, '2027-01-09T00:00:00.000Z', LATE_MS);
    const toCut = { fromDate: cut, toDate: NOW };
    expect(nextPeriod(first)).toEqual(toCut);
    const second = afterPeriod(first, toCut, 0);
    expect(second).toEqual({ until: cut, lengthMs: 86_400_000, cut: null });
    expect(nextPeriod({ ...first, until: cut })).toEqual({
      fromDate: '2027-01-07T23:55:00.000Z',
      toDate: cut,
    });
    const before = { fromDate: '2027-01-09T12:00:00.000Z', toDate: NOW };
    expect(afterPeriod(first, before, 0)).toEqual({ until: before.fromDate, lengthMs: 172_800_000, cut });
  });
});

describe('a record that a search found', () => {
  const period = { fromDate: '2027-01-01T00:00:00.000Z', toDate: '2027-01-02T00:00:00.000Z' };
  const version = '2027-01-01T12:00:00.000Z';
  it.each<[string, string | null, string, boolean]>([
    ['was read after all of the period could be seen', version, '2027-01-02T00:05:00.000Z', true],
    ['was read before that', version, '2027-01-02T00:04:59.999Z', false],
    ['was read with an earlier date', '2026-12-31T23:59:59.999Z', '2027-01-05T00:00:00.000Z', false],
    ['was read with a later date', '2027-01-02T00:00:00.001Z', '2027-01-05T00:00:00.000Z', false],
    ['was read with the first date', '2027-01-01T00:00:00.000Z', '2027-01-05T00:00:00.000Z', true],
    ['was read with the last date', '2027-01-02T00:00:00.000Z', '2027-01-05T00:00:00.000Z', true],
    ['was never read', null, '2027-01-05T00:00:00.000Z', false],
  ])('is proven to be as it was read, or not, where it %s', (_, known, knownAt, is) => {
    expect(isProven({ version: known, knownAt }, period, LATE_MS)).toBe(is);
  });
});
