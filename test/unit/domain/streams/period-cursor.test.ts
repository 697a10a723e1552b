import { describe, expect, it } from 'vitest';
import {
  afterSearch,
  firstPeriodCursor,
  nextSearch,
  type PeriodCursor,
} from '../../../../src/domain/streams/period-cursor.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const OVERLAP_MS = 300_000;
const cursor = (until: string, more: Partial<PeriodCursor> = {}): PeriodCursor => ({
  until,
  overlapUntil: '2026-03-10T11:58:00.000Z',
  ...more,
});

it('begins a day back', () => {
  const dayBefore = '2026-03-09T12:00:00.000Z';
  expect(firstPeriodCursor(NOW)).toEqual({ until: dayBefore, overlapUntil: dayBefore });
});

describe('the next period', () => {
  it.each([
    [
      'ends ahead of our clock, because the vendor’s may be',
      '2026-03-10T11:59:00.000Z',
      '2026-03-10T12:05:00.000Z',
    ],
    ['is a day at most', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  ])('%s', (_, until, toDate) => {
    const period = { fromDate: until, toDate };
    expect(nextSearch(cursor(until), NOW, OVERLAP_MS)).toEqual({ period, isOverlap: false });
  });
});

describe('after a search', () => {
  const period = { fromDate: '2026-03-10T11:59:00.000Z', toDate: '2026-03-10T12:05:00.000Z' };
  const search = { period, isOverlap: false };
  const told = (vendorNow: string | null) => ({ vendorNow, sentAt: NOW, overlapMs: 600_000 });

  it.each([
    ['to the vendor’s own time', '2026-03-10T12:00:30.000Z', '2026-03-10T12:00:30.000Z', false],
    ['never back', '2026-03-10T11:00:00.000Z', period.fromDate, false],
    ['to the end of the period when the vendor is past it', '2026-03-10T12:05:00.001Z', period.toDate, true],
    ['to the end of the period when that is now', period.toDate, period.toDate, false],
    ['to two minutes before our time when the vendor tells none', null, period.fromDate, false],
  ])('the cursor moves %s', (_, vendorNow, until, more) => {
    expect(afterSearch(cursor(period.fromDate), search, told(vendorNow))).toEqual({
      cursor: { until, overlapUntil: '2026-03-10T11:58:00.000Z', searchedAt: NOW },
      more,
    });
  });

  it('our own time counts two minutes less', () => {
    const early = { period: { ...period, fromDate: '2026-03-10T11:00:00.000Z' }, isOverlap: false };
    expect(afterSearch(cursor(early.period.fromDate), early, told(null)).cursor.until).toBe(
      '2026-03-10T11:58:00.000Z',
    );
  });
});

describe('the overlap', () => {
  const from = '2026-03-10T12:00:00.000Z';
  const search = { period: { fromDate: from, toDate: '2026-03-10T12:09:00.000Z' }, isOverlap: false };
  const reached = (vendorNow: string) =>
    afterSearch(cursor(from), search, { vendorNow, sentAt: NOW, overlapMs: OVERLAP_MS });

  it.each([
    ['2026-03-10T12:02:59.999Z', undefined, false],
    ['2026-03-10T12:03:00.000Z', true, true],
    ['2026-03-10T12:09:00.001Z', undefined, true],
  ])('with the vendor at %s it comes next: %s', (vendorNow, overlapNext, more) => {
    const after = reached(vendorNow);
    expect([after.cursor.overlapNext, after.more]).toEqual([overlapNext, more]);
  });

  it('is searched from one overlap behind its last end up to the cursor, which keeps all else', () => {
    const at = cursor('2026-03-10T12:04:00.000Z', { searchedAt: NOW, overlapNext: true });
    const next = nextSearch(at, NOW, OVERLAP_MS);
    expect(next).toEqual({
      period: { fromDate: '2026-03-10T11:53:00.000Z', toDate: at.until },
      isOverlap: true,
    });
    const after = afterSearch(at, next, { vendorNow: NOW, sentAt: NOW, overlapMs: OVERLAP_MS });
    expect(after).toEqual({
      cursor: { until: at.until, overlapUntil: at.until, searchedAt: NOW },
      more: false,
    });
  });
});
