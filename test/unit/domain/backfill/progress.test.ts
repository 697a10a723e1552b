import { describe, expect, it } from 'vitest';
import {
  type BackfillCounts,
  isMatching,
  NOTHING_FOUND,
  phaseAfter,
} from '../../../../src/domain/backfill/backfill.ts';
import { quotaOfShare } from '../../../../src/domain/backfill/pace.ts';
import { NO_TIME, progressOf, timeAfter } from '../../../../src/domain/backfill/progress.ts';

/** Ten thousand opportunities, a quarter of them at the vendor, with five hundred more. */
const DAY: BackfillCounts = {
  ...NOTHING_FOUND,
  vendor: { found: 3_000, matched: 0, done: 0 },
  crm: { found: 10_000, done: 0 },
};
const BOTH = { from: 'both' } as const;
/** What it takes at five requests a second, by what records take. */
const SECONDS = (3_000 * 4 + 7_500 * 2) / 5;

/** The time of so many requests at five a second. */
function atFive(requests: number) {
  const ms = requests * 200;
  return { workedMs: ms, pace: { requests, ms } };
}

describe('how long a backfill still takes', () => {
  it.each([
    ['a tenth of the work', { vendor: { found: 3_000, matched: 2_700, done: 0 }, paired: 2_250 }, 2_700],
    ['matched all', { vendor: { found: 3_000, matched: 3_000, done: 0 }, paired: 2_500 }, 3_000],
    ['brought the vendor in', { vendor: { found: 3_000, matched: 3_000, done: 3_000 }, paired: 2_500 }, 12_000],
    [
      'made a third of the rest',
      {
        vendor: { found: 3_000, matched: 3_000, done: 3_000 },
        crm: { found: 10_000, done: 3_000 },
        outcomes: { linked: 500, 'in-sync': 2_500 },
        paired: 2_500,
      },
      17_000,
    ],
    [
      'parked some that may be one of the vendor’s',
      {
        vendor: { found: 3_000, matched: 3_000, done: 3_000 },
        crm: { found: 10_000, done: 3_000, met: 500 },
        outcomes: { linked: 200, parked: 600, 'in-sync': 2_500 },
        paired: 2_500,
      },
      17_000,
    ],
  ])('is shown right once it has %s', (_what, change, calls) => {
    const { remainingSeconds, fraction } = progressOf(
      { phase: 'crm', counts: { ...DAY, ...change } },
      BOTH,
      atFive(calls),
    );
    expect(remainingSeconds).toBeCloseTo(SECONDS - calls / 5, -1);
    expect(fraction).toBeCloseTo(calls / (5 * SECONDS), 2);
  });

  it('is not shown before anything is done', () => {
    expect(progressOf({ phase: 'find-crm', counts: DAY }, BOTH, atFive(25))).toMatchObject({
      remainingSeconds: null,
      perSecond: null,
      found: 13_000,
      fraction: 0,
    });
  });

  it.each([
    ['nothing of the work is done', 'match', {}, 5_000],
    ['no time of it was seen', 'match', { matched: 120 }, 0],
    ['the records of the vendor are not all found', 'find-vendor', { matched: 120 }, 5_000],
    ['the opportunities are not all found', 'find-crm', { matched: 120 }, 5_000],
  ] as const)('is not shown while %s', (_, phase, change, workedMs) => {
    const counts = { ...DAY, vendor: { ...DAY.vendor, ...change }, paired: 100 };
    const time = { workedMs, pace: { requests: 25, ms: 5_000 } };
    expect(progressOf({ phase, counts }, BOTH, time)).toMatchObject({ remainingSeconds: null });
    expect(progressOf({ phase: 'match', counts }, BOTH, { ...time, workedMs: 5_000 })).toMatchObject({
      remainingSeconds: 'matched' in change ? SECONDS - 24 : null,
    });
  });

  it('tells records a second once a time of them was seen', () => {
    const counts = { ...DAY, vendor: { found: 3, matched: 3, done: 3 }, crm: { found: 9, done: 1 } };
    const result = (requests: number) => progressOf({ phase: 'crm', counts }, BOTH, atFive(requests)).perSecond;
    expect([result(10), result(40), result(0)]).toEqual([2, 0.5, null]);
  });

  it('is nothing at the end, whatever was made of the guess', () => {
    const counts = { ...DAY, vendor: { found: 3, matched: 3, done: 3 }, crm: { found: 9, done: 1 } };
    expect(progressOf({ phase: 'over', counts }, BOTH, atFive(5))).toMatchObject({
      remainingSeconds: 0,
      fraction: 1,
    });
  });

  it.each<[string, Partial<BackfillCounts>, 'crm' | 'both', number]>([
    [
      'of the vendor’s records are still brought in, and under way',
      { vendor: { found: 10, matched: 10, done: 5 }, crm: { found: 10, done: 0 } },
      'both',
      25 / 40,
    ],
    [
      'of the vendor’s records are matched alone, and opportunities under way',
      { vendor: { found: 10, matched: 10, done: 0 }, crm: { found: 10, done: 0 } },
      'crm',
      10 / 18,
    ],
    [
      'opportunities are left, and fewer than are under way',
      { vendor: { found: 10, matched: 10, done: 10 }, crm: { found: 10, done: 8, met: 8 } },
      'both',
      40 / 44,
    ],
    [
      'opportunities were all made, whatever the share says',
      { vendor: { found: 10, matched: 10, done: 10 }, crm: { found: 10, done: 10, met: 5 }, paired: 0 },
      'both',
      1,
    ],
  ])('knows how much is done where %s', (_, change, from, fraction) => {
    const counts = { ...DAY, paired: 10, inFlight: 4, ...change };
    expect(progressOf({ phase: 'crm', counts }, { from }, atFive(25)).fraction).toBeCloseTo(fraction);
  });

  it('counts no record of the vendor as brought in where it is only matched', () => {
    const counts = { ...DAY, vendor: { found: 3_000, matched: 3_000, done: 100 }, paired: 2_500 };
    expect(progressOf({ phase: 'crm', counts }, { from: 'crm' }, atFive(3_000))).toMatchObject({
      found: 10_000,
      done: 0,
    });
  });
});

it('its steps follow the order, without those of a side that is not brought in', () => {
  const steps = (from: 'crm' | 'vendor' | 'both') => {
    const all = [];
    for (let phase = phaseAfter('find-vendor', { from }); phase !== 'over'; phase = phaseAfter(phase, { from }))
      all.push(phase);
    return all;
  };
  expect(steps('both')).toEqual(['find-crm', 'match', 'vendor', 'crm']);
  expect(steps('vendor')).toEqual(['match', 'vendor']);
  expect(steps('crm')).toEqual(['find-crm', 'match', 'crm']);
});

it('a backfill of fields matches nothing, holds back nothing, and counts its records alone', () => {
  const fields = ['nextMilestone'] as const;
  expect(phaseAfter('find-crm', { from: 'both', fields })).toBe('vendor');
  const order = { since: '2027-01-01T00:00:00.000Z', from: 'both', share: 0.5 } as const;
  expect(isMatching({ phase: 'find-crm', order })).toBe(true);
  expect(isMatching({ phase: 'find-crm', order: { ...order, fields } })).toBe(false);
  const counts = {
    ...NOTHING_FOUND,
    vendor: { found: 30, matched: 10, done: 10 },
    crm: { found: 10, done: 0 },
  };
  expect(progressOf({ phase: 'vendor', counts }, { from: 'both', fields }, atFive(25))).toMatchObject({
    fraction: 0.25,
    remainingSeconds: 15,
  });
  const more = { ...counts, crm: { found: 10, done: 5 } };
  expect(progressOf({ phase: 'crm', counts: more }, { from: 'both', fields }, atFive(25)).fraction).toBe(0.375);
  expect(progressOf({ phase: 'crm', counts: more }, { from: 'crm', fields }, atFive(25)).fraction).toBe(0.5);
});

describe('the part of a quota that is left to a backfill', () => {
  const at = '2027-01-01T00:00:00.000Z';
  const row = { limit: 200, remaining: 150, bulkUsed: 20, until: '2027-01-01T00:00:15.000Z', seconds: 20 };
  it.each([
    ['its share, less what it has taken', row, { left: 80, resetMs: 15_000 }],
    ['what others have left', { ...row, remaining: 7 }, { left: 7, resetMs: 15_000 }],
    ['a whole share, once the window is over', { ...row, until: at }, { left: 100, resetMs: 20_000 }],
    ['none, where it has taken more', { ...row, bulkUsed: 120 }, { left: 0, resetMs: 15_000 }],
  ])('is %s', (_what, known, left) => {
    expect(quotaOfShare(known, 0.5, at)).toEqual({ perWindow: 100, windowMs: 20_000, ...left });
  });

  it('is not known before an answer has given it, nor of a limit of 0', () => {
    expect(quotaOfShare(undefined, 0.5, at)).toBeNull();
    expect(quotaOfShare({ ...row, limit: null }, 0.5, at)).toBeNull();
    expect(quotaOfShare({ ...row, remaining: null }, 0.5, at)).toBeNull();
    expect(quotaOfShare({ ...row, limit: 0 }, 0.5, at)).toBeNull();
  });
});

describe('the time that a backfill has taken', () => {
  const look = (seconds: number, matched: number, left = 100) => ({
    at: new Date(Date.parse('2027-01-01T00:00:00.000Z') + 1_000 * seconds).toISOString(),
    phase: 'match' as const,
    counts: { ...DAY, vendor: { ...DAY.vendor, matched } },
    bound: { ratePerSecond: 5, quota: { perWindow: 100, windowMs: 20_000, left, resetMs: 10_000 } },
  });

  it.each([
    ['none is under way', 0, 59, 59_000],
    ['some are under way, for less than a minute', 5, 59, 0],
    ['some are under way, for a minute', 5, 60, 60_000],
  ])('counts as time without a record, where %s', (_, inFlight, seconds, ms) => {
    const idle = (second: number) => {
      const { at, phase } = look(second, 0);
      return { at, phase, counts: { ...DAY, inFlight } };
    };
    const { workedMs, pace } = timeAfter(timeAfter(NO_TIME, idle(0), BOTH), idle(seconds), BOTH);
    expect({ workedMs, pace }).toEqual({ workedMs: seconds * 1_000, pace: { requests: 0, ms } });
  });

  it.each(['find-vendor', 'find-crm'] as const)('begins with the first look that finds work, after %s', (phase) => {
    const found = { ...look(0, 0), phase };
    const { workedMs, pace } = timeAfter(timeAfter(NO_TIME, found, BOTH), look(10, 50), BOTH);
    expect({ workedMs, pace }).toEqual({ workedMs: 10_000, pace: NO_TIME.pace });
  });
});

it('is shown right at each look while records end in large parts', () => {
  const [part, partSeconds] = [60, 25];
  const looks = Array.from({ length: 20 }, (_, n) => {
    const done = part * Math.floor((n * 5) / partSeconds);
    return {
      at: new Date(n * 5_000).toISOString(),
      phase: 'vendor' as const,
      counts: { ...NOTHING_FOUND, vendor: { found: 3_000, matched: 3_000, done }, inFlight: 250 },
      bound: { ratePerSecond: 10, quota: null },
    };
  });
  let time = NO_TIME;
  const result = looks.flatMap((look) => {
    time = timeAfter(time, look, { from: 'vendor' });
    const { remainingSeconds } = progressOf(look, { from: 'vendor' }, time);
    const tookOf = ((3_000 - look.counts.vendor.done) * partSeconds) / part;
    return look.counts.vendor.done === 0 || remainingSeconds === null ? [] : [remainingSeconds / tookOf];
  });
  expect(result.length).toBe(15);
  expect(Math.min(...result)).toBeGreaterThan(0.8);
  expect(Math.max(...result)).toBeLessThan(1.2);
});
