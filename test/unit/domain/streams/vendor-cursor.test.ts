import { describe, expect, it } from 'vitest';
import {
  afterSearch,
  firstVendorCursor,
  isOverlapDue,
  nextPeriod,
  overlapOf,
  type VendorCursor,
} from '../../../../src/domain/streams/vendor-cursor.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const cursor = (until: string, more: Partial<VendorCursor> = {}): VendorCursor => ({
  until,
  overlapUntil: '2026-03-10T11:00:00.000Z',
  ...more,
});

it('begins a day back', () => {
  const dayBefore = '2026-03-09T12:00:00.000Z';
  expect(firstVendorCursor(NOW)).toEqual({ until: dayBefore, overlapUntil: dayBefore });
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
    expect(nextPeriod(cursor(until), NOW)).toEqual({ fromDate: until, toDate });
  });
});

describe('after a search', () => {
  const period = { fromDate: '2026-03-10T11:59:00.000Z', toDate: '2026-03-10T12:05:00.000Z' };

  it.each([
    ['to the vendor’s own time', '2026-03-10T12:00:30.000Z', '2026-03-10T12:00:30.000Z', false],
    ['never back', '2026-03-10T11:00:00.000Z', period.fromDate, false],
    ['to the end of the period when the vendor is past it', '2026-03-10T12:05:00.001Z', period.toDate, true],
    ['to the end of the period when that is now', period.toDate, period.toDate, false],
    ['to two minutes before our time when the vendor tells none', null, period.fromDate, false],
  ])('the cursor moves %s', (_, vendorNow, until, more) => {
    expect(afterSearch(cursor(period.fromDate), period, { vendorNow, sentAt: NOW })).toEqual({
      cursor: { until, overlapUntil: '2026-03-10T11:00:00.000Z', searchedAt: NOW },
      more,
    });
  });

  it('our own time counts two minutes less', () => {
    const early = { fromDate: '2026-03-10T11:00:00.000Z', toDate: period.toDate };
    const { cursor: next } = afterSearch(cursor(early.fromDate), early, { vendorNow: null, sentAt: NOW });
    expect(next.until).toBe('2026-03-10T11:58:00.000Z');
  });
});

describe('the overlap', () => {
  it.each([
    ['2026-03-10T11:04:59.999Z', false],
    ['2026-03-10T11:05:00.000Z', true],
  ])('read until %s it is due: %s', (until, due) => {
    expect(isOverlapDue(cursor(until), 300_000)).toBe(due);
  });

  it('is searched from one overlap behind its last end up to the cursor, which keeps all else', () => {
    const at = cursor('2026-03-10T11:06:00.000Z', { searchedAt: NOW });
    expect(overlapOf(at, 300_000)).toEqual({
      period: { fromDate: '2026-03-10T10:55:00.000Z', toDate: '2026-03-10T11:06:00.000Z' },
      after: { until: at.until, overlapUntil: at.until, searchedAt: NOW },
    });
  });
});
