import { describe, expect, it } from 'vitest';
import {
  type BackfillCounts,
  isMatching,
  NOTHING_FOUND,
  phaseAfter,
} from '../../../../src/domain/backfill/backfill.ts';
import { progressOf } from '../../../../src/domain/backfill/progress.ts';

/** Ten thousand opportunities, of which a quarter is at the vendor, with five hundred more. */
const DAY: BackfillCounts = {
  ...NOTHING_FOUND,
  vendor: { found: 3_000, matched: 0, done: 0 },
  crm: { found: 10_000, done: 0 },
};
const BOTH = { from: 'both' } as const;
/** What it takes at five requests a second, by what records take. */
const SECONDS = (3_000 * 4 + 7_500 * 2) / 5;

describe('how long a backfill still takes', () => {
  it.each([
    ['a tenth of the work', { vendor: { found: 3_000, matched: 2_700, done: 0 }, paired: 2_250 }, 2_700],
    ['matched all', { vendor: { found: 3_000, matched: 3_000, done: 0 }, paired: 2_500 }, 3_000],
    [
      'brought the vendor in',
      { vendor: { found: 3_000, matched: 3_000, done: 3_000 }, paired: 2_500 },
      12_000,
    ],
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
  ])('is told right once it has %s', (_what, change, calls) => {
    const { remainingSeconds, fraction } = progressOf(
      'crm',
      { ...DAY, ...change },
      BOTH,
      (calls / 5) * 1_000,
    );
    expect(remainingSeconds).toBeCloseTo(SECONDS - calls / 5, -1);
    expect(fraction).toBeCloseTo(calls / (5 * SECONDS), 2);
  });

  it('is not told before anything is done', () => {
    expect(progressOf('find-crm', DAY, BOTH, 5_000)).toMatchObject({
      remainingSeconds: null,
      perSecond: null,
      found: 13_000,
      fraction: 0,
    });
  });

  it('is nothing at the end', () => {
    const counts = { ...DAY, vendor: { found: 3, matched: 3, done: 3 }, crm: { found: 1, done: 1 } };
    expect(progressOf('over', counts, BOTH, 1_000)).toMatchObject({
      remainingSeconds: 0,
      fraction: 1,
      done: 4,
      perSecond: 4,
    });
  });

  it('counts no record of the vendor as brought in where it is only matched', () => {
    const counts = { ...DAY, vendor: { found: 3_000, matched: 3_000, done: 100 }, paired: 2_500 };
    expect(progressOf('crm', counts, { from: 'crm' }, 600_000)).toMatchObject({ found: 10_000, done: 0 });
  });
});

it('its steps follow the order, without those of a side that is not brought in', () => {
  const steps = (from: 'crm' | 'vendor' | 'both') => {
    const all = [];
    for (
      let phase = phaseAfter('find-vendor', { from });
      phase !== 'over';
      phase = phaseAfter(phase, { from })
    )
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
  expect(progressOf('vendor', counts, { from: 'both', fields }, 5_000)).toMatchObject({
    fraction: 0.25,
    remainingSeconds: 15,
  });
});
