import { describe, expect, it } from 'vitest';
import {
  type BackfillQuota,
  mostUnderWay,
  msLeft,
  NO_PACE,
  type OwnPace,
  paceAfter,
} from '../../../../src/domain/backfill/pace.ts';

/** Five requests a second, and of the window that is running half. */
const QUOTA: BackfillQuota = { perWindow: 100, windowMs: 20_000, left: 50, resetMs: 10_000 };
const NONE_KNOWN = { before: null, after: null };

describe('the pace after some more requests', () => {
  it.each([0, -5])('stays as it was after %d ms, as of a clock that was set back', (ms) => {
    const pace = { requests: 10, ms: 1_000 };
    expect(paceAfter(pace, { requests: 3, ms }, NONE_KNOWN)).toEqual(pace);
  });

  it.each<[string, number, OwnPace]>([
    ['that no window has held up', 260, { requests: 260, ms: 55_000 }],
    ['of which three windows were used up', 290, { requests: 290, ms: 36_250 }],
    ['of which all there were went', 350, NO_PACE],
  ])('counts those %s', (_, requests, expected) => {
    const pace = paceAfter(NO_PACE, { requests, ms: 55_000 }, { before: QUOTA, after: QUOTA });
    expect(pace.requests).toBeCloseTo(expected.requests);
    expect(pace.ms).toBeCloseTo(expected.ms);
  });

  it('counts the time of none at all in which some could have gone', () => {
    const before = { ...QUOTA, left: 0 };
    const pace = paceAfter({ requests: 10, ms: 1_000 }, { requests: 0, ms: 12_000 }, { before, after: QUOTA });
    const kept = Math.exp(-2 / 60);
    expect(pace.requests).toBeCloseTo(10 * kept);
    expect(pace.ms).toBeCloseTo(1_000 * kept + 2_000);
  });

  it.each<[string, OwnPace, number, OwnPace]>([
    ['that of the whole window', NO_PACE, 5_000, { requests: 100, ms: 15_000 }],
    ['that of the window, which is faster', { requests: 50, ms: 10_000 }, 5_000, { requests: 100, ms: 15_000 }],
    ['its own, which is faster', { requests: 100, ms: 10_000 }, 5_000, { requests: 100, ms: 10_000 }],
    ['its own, which is the same', { requests: 20, ms: 3_000 }, 5_000, { requests: 20, ms: 3_000 }],
    ['that of a window which has just begun', NO_PACE, 20_000, { requests: 100, ms: 1 }],
  ])('is %s, where the quota has run out', (_, pace, resetMs, expected) => {
    const after = { ...QUOTA, left: 0, resetMs };
    expect(paceAfter(pace, { requests: 7, ms: 1_000 }, { before: null, after })).toEqual(expected);
  });
});

describe('how long so many requests still take', () => {
  const quota: BackfillQuota = { ...QUOTA, left: 30, resetMs: 5_000 };
  const bound = { ratePerSecond: 50, quota };
  const [ten, one]: OwnPace[] = [
    { requests: 1_200, ms: 120_000 },
    { requests: 60, ms: 60_000 },
  ];

  it.each<[string, number, OwnPace | undefined, number]>([
    ['at its pace, within this window', 20, ten, 2_000],
    ['at its pace, where they are all that this window has left', 30, ten, 3_000],
    ['into the next window', 31, ten, 5_100],
    ['as long as whole windows', 330, ten, 55_000],
    ['beyond whole windows', 280, ten, 50_000],
    ['at its pace, which is slower than every window', 10, one, 10_000],
  ])('is %s', (_, requests, pace = NO_PACE, expected) => {
    expect(msLeft(requests, bound, pace)).toBeCloseTo(expected);
  });

  it.each<[string, number, number, OwnPace, number]>([
    ['what the quota allows', 50, 50, NO_PACE, 10_000],
    ['its own and that of its beginning, which fades', 98, 50, { requests: 300, ms: 30_000 }, 10_000],
    ['what the rate allows', 50, 2, NO_PACE, 25_000],
    ['what the rate allows, however fast it was', 50, 2, { requests: 300, ms: 30_000 }, 25_000],
  ])('rests on %s', (_, requests, ratePerSecond, pace, expected) => {
    const whole = { ...QUOTA, left: 100, resetMs: 20_000 };
    expect(msLeft(requests, { ratePerSecond, quota: whole }, pace)).toBeCloseTo(expected);
  });
});

it('holds records to their pace once five seconds of it were seen', () => {
  expect(mostUnderWay(25, { requests: 10, ms: 5_000 })).toBe(16);
  expect(mostUnderWay(25, { requests: 10, ms: 4_999 })).toBe(100);
});
