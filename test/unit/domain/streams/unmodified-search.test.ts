import { describe, expect, it } from 'vitest';
import type { PeriodCursor } from '../../../../src/domain/streams/period-cursor.ts';
import { knownPeriod, unmodifiedAsOf } from '../../../../src/domain/streams/unmodified-search.ts';

const at = (seconds: number): string => new Date(Date.UTC(2027, 0, 4, 8) + seconds * 1_000).toISOString();

/** The vendor's clock is ten seconds ahead. */
const CURSOR: PeriodCursor = { until: at(100), settledUntil: at(60), answeredAt: at(90), aheadMs: 10_000 };
const OVERLAP_MS = 20_000;

describe('the period of records that were not modified since they were read', () => {
  it('ends a second before what was searched when it had been past for the overlap', () => {
    expect(knownPeriod(CURSOR, OVERLAP_MS)).toEqual({ fromDate: '2000-01-01T00:00:00.000Z', toDate: at(59) });
  });

  it.each([
    { what: 'nothing was searched yet', cursor: null, overlapMs: OVERLAP_MS },
    { what: 'the vendor never told its time', cursor: { until: at(0), settledUntil: at(0) }, overlapMs: 0 },
    { what: 'no write could rest on it in time', cursor: CURSOR, overlapMs: 40_000 },
  ])('is none where $what', ({ cursor, overlapMs }) => expect(knownPeriod(cursor, overlapMs)).toBeNull());
});

describe('as of when a search tells', () => {
  const asked = { askedAt: at(200), answeredAt: at(201) };

  it.each([
    { what: 'in whole seconds', vendorNow: at(209), asOf: at(180) },
    { what: 'never', vendorNow: null, asOf: null },
    { what: 'as it was before the search', vendorNow: at(207), asOf: null },
    { what: 'as it was before an earlier one', vendorNow: at(90), asOf: null },
  ])('where the vendor tells its time $what', ({ vendorNow, asOf }) => {
    expect(unmodifiedAsOf({ ...asked, vendorNow }, CURSOR, OVERLAP_MS)).toBe(asOf);
  });

  it('is not known where our own clock went back', () => {
    const back = { askedAt: at(200), answeredAt: at(199), vendorNow: at(211) };
    expect(unmodifiedAsOf(back, CURSOR, OVERLAP_MS)).toBeNull();
  });
});
