import { describe, expect, it } from 'vitest';
import {
  afterSearch,
  firstPeriodCursor,
  nextSearch,
  type PageFollows,
  type PeriodCursor,
  type PeriodSearch,
} from '../../../../src/domain/streams/period-cursor.ts';

const OVERLAP_MS = 300_000;
const RULES = { longestMs: 86_400_000, overlapMs: OVERLAP_MS, sharedMs: 0 };
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
  const DAYS_AGO = '2026-03-01T00:00:00.000Z';
  /** A search as its kind and period; times of today without their day. */
  const told = ({ kind, period: { fromDate, toDate } }: PeriodSearch): string =>
    `${kind} ${fromDate} ${toDate}`.replaceAll(/2026-03-10T|\.000Z/g, '');

  it.each<[what: string, given: Partial<PeriodCursor>, search: string]>([
    ['ends in the present', {}, 'new 11:59:00 12:00:00'],
    ['ends in the vendor’s present, by its own clock', { aheadMs: -30_000 }, 'new 11:59:00 11:59:30'],
    ['ends there though that was searched, and after it begins', { aheadMs: -90_000 }, 'new 11:58:29 11:58:30'],
    ['ends after it begins where no time has passed', { until: NOW }, 'new 11:59:59 12:00:00'],
    ['is as long as the rows allow', { spanMs: 20_000 }, 'cut 11:59:00 11:59:20'],
    ['is so of what came late', { lateNext: true, spanMs: 20_000 }, 'late 11:52:00 11:52:20'],
    [
      'is of what is new where the overlap has become longer than what is past',
      ...([{ lateNext: true, settledUntil: at('11:54:00') }, 'new 11:59:00 12:00:00'] as const),
    ],
    [
      'is of what is new where the vendor’s clock was set back before what is past for the overlap',
      ...([{ lateNext: true, aheadMs: -600_000 }, 'new 11:49:59 11:50:00'] as const),
    ],
    ['is a day at most', { until: DAYS_AGO }, 'cut 2026-03-01T00:00:00 2026-03-02T00:00:00'],
    ['is of what is past for the overlap, when that comes next', { lateNext: true }, 'late 11:52:00 11:54:00'],
    [
      'is of a day of that at most',
      ...([{ lateNext: true, settledUntil: DAYS_AGO }, 'late 2026-03-01T00:00:00 2026-03-02T00:00:00'] as const),
    ],
  ])('%s', (_, given, search) => {
    expect(told(nextSearch(cursor(given), NOW, RULES))).toBe(search);
  });

  it('shares with the one before what is not known to be searched, within the longest period', () => {
    const shared = { ...RULES, sharedMs: 1_000 };
    expect(nextSearch(cursor(), NOW, shared).period).toEqual(period('11:58:59', '12:00:00'));
    expect(nextSearch(cursor({ lateNext: true }), NOW, shared).period).toEqual(period('11:51:59', '11:54:00'));
    const longAgo = cursor({ until: '2026-03-01T00:00:00.000Z' });
    expect(nextSearch(longAgo, NOW, shared).period).toEqual({
      fromDate: '2026-02-28T23:59:59.000Z',
      toDate: '2026-03-01T23:59:59.000Z',
    });
  });
});

describe('after the search of what is new', () => {
  const search: PeriodSearch = { period: period('11:59:00', '12:00:00'), kind: 'new' };
  const searched = (given: Partial<PeriodCursor>, vendorNow: string | null = NOW, kind: 'new' | 'cut' = 'new') =>
    afterSearch(cursor(given), { ...search, kind }, { vendorNow, answeredAt: NOW, follows: null }, RULES);

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
    const result = afterSearch(untold, search, { vendorNow: NOW, answeredAt: NOW, follows: null }, RULES);
    expect(result.more).toBe(true);
    const silent = afterSearch(untold, search, { vendorNow: null, answeredAt: NOW, follows: null }, RULES);
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

  it('is not settled by a time that the vendor tells far ahead of ours', () => {
    const search: PeriodSearch = { period: period('10:00:00', '12:00:00'), kind: 'new' };
    const answered = { vendorNow: '2026-03-11T12:00:00.000Z', answeredAt: NOW, follows: null };
    const given = cursor({ until: at('10:00:00'), settledUntil: at('10:00:00') });
    expect(afterSearch(given, search, answered, RULES).cursor.settledUntil).toBe(at('11:53:00'));
  });
});

describe('after the search for what came late', () => {
  it.each([
    ['11:54:00', undefined, false],
    ['11:53:00', true, true],
  ])('up to %s all else stays, and the rest comes next: %s', (toDate, lateNext, more) => {
    const given = cursor({ answeredAt: at('11:59:40'), lateNext: true });
    const search: PeriodSearch = { period: period('11:52:00', toDate), kind: 'late' };
    const { lateNext: _, ...rest } = given;
    expect(afterSearch(given, search, { vendorNow: NOW, answeredAt: NOW, follows: null }, RULES)).toEqual({
      cursor: { ...rest, settledUntil: at(toDate), ...(lateNext ? { lateNext } : {}) },
      more,
    });
  });

  it.each([
    ['is not searched again at once', '11:59:30', false],
    ['is searched again where a run takes up what one before it left', '11:59:29', true],
  ])('the present %s', (_, answeredAt, more) => {
    const given = cursor({ answeredAt: at(answeredAt), lateNext: true });
    const search: PeriodSearch = { period: period('11:52:00', '11:54:00'), kind: 'late' };
    const after = afterSearch(given, search, { vendorNow: NOW, answeredAt: NOW, follows: null }, RULES);
    expect(after.more).toBe(more);
    expect(nextSearch(after.cursor, NOW, RULES)).toMatchObject({ kind: 'new', period: { toDate: NOW } });
  });
});

describe('a period whose rows come in pages', () => {
  const ANSWERED = { vendorNow: NOW, answeredAt: NOW };
  const LATER = { vendorNow: at('12:00:25'), answeredAt: at('12:00:20') };
  const HOUR: PeriodSearch = { period: period('11:00:00', '12:00:00'), kind: 'new' };
  const second = { skip: 99, shared: 'row 100' };
  const third = { skip: 198, shared: 'row 199' };
  const given = cursor({ until: at('11:00:00'), settledUntil: at('10:50:00') });
  const turn = (from: PeriodCursor, follows: PageFollows, answered = ANSWERED) =>
    afterSearch(from, nextSearch(from, NOW, RULES), { ...answered, follows }, RULES);

  it('is read page by page, and then the cursor is where the first answer led', () => {
    const begun = turn(given, second);
    expect(begun).toEqual({
      cursor: { ...given, open: { search: { ...HOUR, page: second }, begun: ANSWERED } },
      more: true,
    });
    const on = turn(begun.cursor, third, LATER);
    expect(on.cursor.open).toEqual({ search: { ...HOUR, page: third }, begun: ANSWERED });
    expect(turn(on.cursor, null, LATER)).toEqual(turn(given, null));
  });

  it.each<[string, PageFollows]>([
    ['its rows moved', 'moved'],
    ['its pages become deep', { skip: 401, shared: 'row 402' }],
  ])('is halved where %s, and begun again', (_, follows) => {
    const open = { search: { ...HOUR, page: second }, begun: ANSWERED };
    expect(turn({ ...given, open }, follows)).toEqual({
      cursor: { ...given, spanMs: 1_800_000 },
      more: true,
    });
  });

  it('is not halved for a page that is not deep', () => {
    const page = { skip: 400, shared: 'row 401' };
    expect(turn(given, page).cursor.open?.search).toEqual({ ...HOUR, page });
  });

  it.each([
    [1_000, at('11:59:59'), null],
    [1_000, at('11:59:58'), 1_000],
    [0, at('11:59:58'), 1_000],
    [0, at('11:59:59'), null],
  ])('sharing %i ms with the one before and after %s can become %s ms long', (sharedMs, until, spanMs) => {
    const rules = { ...RULES, sharedMs };
    const from = cursor({ until });
    const result = (follows: PageFollows) =>
      afterSearch(from, nextSearch(from, NOW, rules), { ...ANSWERED, follows }, rules);
    const deep = { skip: 5_000, shared: 'row 5001' };
    if (spanMs !== null) {
      expect(result('moved')).toEqual({ cursor: { ...from, spanMs }, more: true });
      expect(result(deep)).toEqual({ cursor: { ...from, spanMs }, more: true });
    } else {
      // Read to its end, and started again in the next turn if its rows move.
      expect(result('moved')).toEqual({ cursor: from, more: false });
      expect(result(deep).cursor.open?.search.page).toEqual(deep);
    }
  });

  it.each([
    ['doubles what may be asked for after one page', 1_000, null, 2_000],
    ['ends where the longest is allowed again', 43_200_000, null, undefined],
    ['keeps its length while it is paged', 1_000, second, 1_000],
  ])('%s', (_, spanMs, follows, expected) => {
    const { cursor: next } = turn({ ...given, spanMs }, follows);
    expect(next.spanMs).toBe(expected);
    expect('spanMs' in next).toBe(expected !== undefined);
    if (follows !== null) expect(turn(next, null).cursor.spanMs).toBe(spanMs);
  });
});

describe('what is left for a search of what came late', () => {
  it.each([
    ['beyond the present by the vendor’s time', -300_000, undefined],
    ['a second before it', -299_000, true],
  ])('does not count what is %s', (_, aheadMs, lateNext) => {
    const given = cursor({ until: at('12:10:00'), lateNext: true, aheadMs });
    const search: PeriodSearch = { period: period('11:52:00', '11:55:00'), kind: 'late' };
    const after = afterSearch(given, search, { vendorNow: NOW, answeredAt: NOW, follows: null }, RULES);
    expect([after.cursor.lateNext, after.more]).toEqual([lateNext, lateNext ?? false]);
  });
});
