import { describe, expect, it } from 'vitest';
import {
  afterSearch,
  firstPeriodCursor,
  nextSearch,
  type PeriodCursor,
  type PeriodSearch,
} from '../../../../src/domain/streams/period-cursor.ts';

const OVERLAP_MS = 300_000;
const at = (time: string): string => `2026-03-10T${time}.000Z`;
const NOW = at('12:00:00');
const cursor = (more: Partial<PeriodCursor> = {}): PeriodCursor => ({
  until: at('11:59:00'),
  settledUntil: at('11:52:00'),
  aheadMs: 0,
  ...more,
});
const period = (from: string, to: string) => ({ fromDate: at(from), toDate: at(to) });

it('begins a day back', () => {
  const dayBefore = '2026-03-09T12:00:00.000Z';
  expect(firstPeriodCursor(NOW)).toEqual({ until: dayBefore, settledUntil: dayBefore });
});

describe('the next search', () => {
  it.each<[string, Partial<PeriodCursor>, PeriodSearch]>([
    ['ends in the present', {}, { period: period('11:59:00', '12:00:00'), kind: 'new' }],
    [
      'ends in the vendor’s present, by its own clock',
      { aheadMs: -30_000 },
      { period: period('11:59:00', '11:59:30'), kind: 'new' },
    ],
    [
      'does not end before it begins',
      { aheadMs: -90_000 },
      { period: period('11:59:00', '11:59:00'), kind: 'new' },
    ],
    [
      'is a day at most',
      { until: '2026-03-01T00:00:00.000Z' },
      { period: { fromDate: '2026-03-01T00:00:00.000Z', toDate: '2026-03-02T00:00:00.000Z' }, kind: 'cut' },
    ],
    [
      'is of what has been past for the overlap, when that comes next',
      { lateNext: true },
      { period: period('11:52:00', '11:54:00'), kind: 'late' },
    ],
    [
      'is of a day of that at most',
      { lateNext: true, settledUntil: '2026-03-01T00:00:00.000Z' },
      { period: { fromDate: '2026-03-01T00:00:00.000Z', toDate: '2026-03-02T00:00:00.000Z' }, kind: 'late' },
    ],
  ])('%s', (_, given, search) => {
    expect(nextSearch(cursor(given), NOW, OVERLAP_MS)).toEqual(search);
  });

  it('counts the vendor as two minutes behind while it has told no time', () => {
    const { aheadMs: _, ...untold } = cursor({ until: at('11:50:00') });
    expect(nextSearch(untold, NOW, OVERLAP_MS).period.toDate).toBe(at('11:58:00'));
  });
});

describe('after the search of what is new', () => {
  const search: PeriodSearch = { period: period('11:59:00', '12:00:00'), kind: 'new' };
  const searched = (
    given: Partial<PeriodCursor>,
    vendorNow: string | null = NOW,
    kind: 'new' | 'cut' = 'new',
  ) => afterSearch(cursor(given), { ...search, kind }, { vendorNow, answeredAt: NOW }, OVERLAP_MS);

  it.each([
    ['to its end', NOW, NOW, 0],
    ['to the vendor’s own time, should that have been set back', at('11:59:30'), at('11:59:30'), -30_000],
    ['never back', at('11:00:00'), at('11:59:00'), -3_600_000],
    ['to two minutes before our time when the vendor tells none', null, at('11:59:00'), -120_000],
  ])('the cursor moves %s', (_, vendorNow, until, aheadMs) => {
    const next = { until, settledUntil: at('11:52:00'), answeredAt: NOW, aheadMs };
    expect(searched({}, vendorNow)).toEqual({ cursor: next, more: false });
  });

  it('the present is searched again when it was a guess before', () => {
    const { aheadMs: _, ...untold } = cursor();
    const told = afterSearch(untold, search, { vendorNow: NOW, answeredAt: NOW }, OVERLAP_MS);
    expect(told.more).toBe(true);
    const silent = afterSearch(untold, search, { vendorNow: null, answeredAt: NOW }, OVERLAP_MS);
    expect(silent.more).toBe(false);
  });

  it.each([
    [at('11:50:00'), true],
    [at('11:50:01'), false],
  ])('with all settled until %s the search for what came late is next: %s', (settledUntil, isNext) => {
    const { cursor: next, more } = searched({ settledUntil });
    expect([next.lateNext ?? false, more]).toEqual([isNext, isNext]);
    expect(searched({ settledUntil }, NOW, 'cut')).toMatchObject({ more: true });
    expect(searched({ settledUntil }, NOW, 'cut').cursor.lateNext).toBeUndefined();
  });

  it('what had been past for the overlap already is settled by it, unless something before is not', () => {
    const late: PeriodSearch = { period: period('10:00:00', '12:00:00'), kind: 'new' };
    const settled = (settledUntil: string) =>
      afterSearch(
        cursor({ until: at('10:00:00'), settledUntil }),
        late,
        { vendorNow: NOW, answeredAt: NOW },
        OVERLAP_MS,
      ).cursor.settledUntil;
    expect(settled(at('10:00:00'))).toBe(at('11:55:00'));
    expect(settled(at('09:59:59'))).toBe(at('09:59:59'));
  });
});

describe('after the search for what came late', () => {
  it.each([
    ['11:54:00', undefined, false],
    ['11:53:00', true, true],
  ])('up to %s all else stays, and the rest comes next: %s', (toDate, lateNext, more) => {
    const given = cursor({ answeredAt: at('11:59:01'), lateNext: true });
    const search: PeriodSearch = { period: period('11:52:00', toDate), kind: 'late' };
    const { lateNext: _, ...rest } = given;
    expect(afterSearch(given, search, { vendorNow: NOW, answeredAt: NOW }, OVERLAP_MS)).toEqual({
      cursor: { ...rest, settledUntil: at(toDate), ...(lateNext ? { lateNext } : {}) },
      more,
    });
  });
});
