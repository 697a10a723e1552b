/** What a backfill tells of the time that it still takes, replayed against what it then took. */

import { describe, expect, it } from 'vitest';
import { NO_TIME, progressOf, timeAfter } from '../../src/domain/backfill/progress.ts';
import { type Course, looksOf } from '../support/backfill/recorded-progress.ts';
import fc from '../support/properties.ts';

const BOTH = { from: 'both' } as const;
const DAY: Course = {
  records: { vendor: 3_000, paired: 2_500, crm: 10_000 },
  quota: { limit: 200, windowMs: 20_000, share: 0.5, taken: 0.1 },
  ratePerSecond: 50,
  own: { match: 40, bring: 20 },
  startMs: 500,
  deaths: [],
};
const SHORT: Course = { ...DAY, records: { vendor: 47, paired: 39, crm: 151 } };

/** Each look's remaining time, beside how long it took from then on, in seconds. */
function toldBy(
  course: Course,
): readonly { readonly fraction: number; readonly result: number; readonly took: number }[] {
  const looks = looksOf(course);
  const endMs = Date.parse(looks.at(-1)?.at ?? '');
  let time = NO_TIME;
  return looks.flatMap((look) => {
    time = timeAfter(time, look, BOTH);
    const { fraction, remainingSeconds } = progressOf(look, BOTH, time);
    const took = (endMs - Date.parse(look.at)) / 1_000;
    return remainingSeconds === null ? [] : [{ fraction, result: remainingSeconds, took }];
  });
}

function isBoundByQuota({
  quota: { limit, share, windowMs },
  ratePerSecond,
}: Pick<Course, 'quota' | 'ratePerSecond'>): boolean {
  return (1_000 * limit * share) / windowMs < Math.min(ratePerSecond, DAY.own.bring);
}

/** The error of the first remaining time shown after this part of the work, as a part of the whole time. */
function wrongAfter(course: Course, part: number): number {
  const at = toldBy(course).find(({ fraction }) => fraction >= part);
  if (at === undefined) throw new Error('nothing was told');
  return Math.abs(at.result - at.took) / at.took;
}

describe('the remaining time of a backfill, shown after the first tenth, is right within a fifth', () => {
  it.each<[string, Course]>([
    ['ten thousand records that the quota bounds', DAY],
    ['two hundred records, of which the first hundred requests go at once', SHORT],
    ['a search that has taken all of the first window', { ...SHORT, quota: { ...SHORT.quota, taken: 1 } }],
    ['windows of an hour', { ...DAY, quota: { limit: 5_000, windowMs: 3_600_000, share: 0.5, taken: 0.5 } }],
    ['a slow start', { ...SHORT, startMs: 8_000 }],
    ['a worker that dies while it matches', { ...DAY, deaths: [{ at: 0.05, downMs: 25_000 }] }],
    [
      'deaths later on',
      {
        ...DAY,
        deaths: [
          { at: 0.33, downMs: 25_000 },
          { at: 0.66, downMs: 25_000 },
        ],
      },
    ],
    ['a tenant with a lower rate than its quota', { ...DAY, ratePerSecond: 2 }],
    ['a machine that is slower than the quota', { ...DAY, own: { match: 2.5, bring: 2.5 } }],
  ])('%s', (_what, course) => {
    expect(wrongAfter(course, 0.1)).toBeLessThan(0.2);
  });

  it('whatever the quota that bounds it, its share and the records are', () => {
    const courses = fc.record({
      records: fc
        .record({
          vendor: fc.integer({ min: 40, max: 1_500 }),
          crm: fc.integer({ min: 100, max: 3_000 }),
          part: fc.double({ min: 0, max: 1, noNaN: true }),
        })
        .map(({ vendor, crm, part }) => ({ vendor, crm, paired: Math.floor(Math.min(vendor, crm) * part) })),
      quota: fc.record({
        limit: fc.integer({ min: 20, max: 400 }),
        windowMs: fc.constantFrom(10_000, 20_000, 60_000),
        share: fc.constantFrom(0.2, 0.5, 1),
        taken: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      ratePerSecond: fc.constantFrom(5, 20, 50),
      startMs: fc.constantFrom(0, 1_000, 3_000),
    });
    fc.assert(
      fc.property(courses, (course) => {
        const at = toldBy({ ...course, own: DAY.own, deaths: [] }).find(({ fraction }) => fraction >= 0.1);
        // A moment at the beginning is much of a run that is over soon.
        fc.pre(at !== undefined && at.took >= 100 && isBoundByQuota(course));
        // A second is what the end of a look may be late by.
        expect(Math.abs(at.result - at.took)).toBeLessThanOrEqual(0.2 * at.took + 1);
      }),
      { numRuns: 40 },
    );
  });
});

it('the remaining time follows a machine that is slower with later steps than it was with the first', () => {
  const course = { ...DAY, own: { match: 40, bring: 2 } };
  expect(wrongAfter(course, 0.2)).toBeLessThan(0.2);
});
