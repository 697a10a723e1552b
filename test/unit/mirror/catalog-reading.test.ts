import { describe, expect, it } from 'vitest';
import { isDue } from '../../../src/domain/streams/catalog-refresh.ts';
import {
  afterPage,
  afterStage,
  type CatalogReading,
  FIRST_READING,
  keptOf,
  type Onward,
  pricesAt,
  withoutList,
} from '../../../src/mirror/catalog/reading.ts';

const ACCREDITATIONS = ['PF1', 'PF2'].map((id) => ({ type: 'R' as const, id }));
const VERSIONS = [1, 2, 3].map((id) => ({ id, status: 'C' as const, currency: 'EUR' }));
const of = (more: Partial<CatalogReading>): CatalogReading => ({
  ...FIRST_READING,
  accreditations: ACCREDITATIONS,
  versions: VERSIONS,
  ...more,
});

/** What is read from here on, where every list is one page, and what was read whole on the way. */
function readFrom(first: CatalogReading) {
  const read: string[] = [];
  const ended: string[] = [];
  let reading: CatalogReading | null = first;
  while (reading !== null) {
    const at = pricesAt(reading);
    const prices = reading.stage === 'prices' ? ` ${at?.accreditation.id} ${at?.version.id}` : '';
    read.push(`${reading.stage} ${reading.place}${prices}`);
    const next: Onward = reading.stage === 'content' ? afterStage(reading) : afterPage(reading, null);
    ended.push(...next.ended);
    reading = next.reading;
  }
  return { read, ended };
}

describe('a reading', () => {
  it('goes through every list of every stage, and each kind ends once', () => {
    const { read, ended } = readFrom(of({}));
    expect(read).toEqual([
      'price-lists 0',
      'accreditations 0',
      'information 0',
      'information 1',
      ...['PF1 1', 'PF1 2', 'PF1 3', 'PF2 1', 'PF2 2', 'PF2 3'].map((of, place) => `prices ${place} ${of}`),
      'content 0',
    ]);
    expect(ended).toEqual([
      'price-list',
      'accreditation',
      'product',
      'release',
      'price',
      'standard-entry',
      'entry',
      'component',
    ]);
  });

  it('of a partner without accreditations ends all the same', () => {
    const { read, ended } = readFrom(of({ accreditations: [] }));
    expect(read).toEqual(['price-lists 0', 'accreditations 0', 'content 0']);
    expect(ended).toHaveLength(8);
  });

  it('begins a list again whose rows moved, and gives it up after some times', () => {
    let at = of({ stage: 'prices', place: 4, page: { skip: 99, shared: 'N' } });
    for (let again = 0; again < 3; again += 1) {
      const next = afterPage(at, 'moved');
      expect(next).toMatchObject({ ended: [], reading: { place: 4, page: { skip: 0, shared: null } } });
      at = next.reading ?? at;
    }
    expect(afterPage(at, 'moved')).toMatchObject({
      failed: 'prices 2',
      reading: { place: 5, restarts: 0, page: { skip: 0, shared: null } },
    });
  });
});

describe('what could not be read', () => {
  it('lets nothing of its kind leave', () => {
    expect(withoutList(of({ stage: 'information' })).failed).toBe('information');
    for (const kind of ['product', 'release', 'component'] as const)
      expect(keptOf(kind, ['information']).all).toBe(true);
    for (const kind of ['price-list', 'accreditation', 'price'] as const)
      expect(keptOf(kind, ['information']).all).toBe(false);
  });

  it('lets no price of its price book leave, and those of others do', () => {
    expect(keptOf('price', ['prices 2', 'prices 4-future'])).toEqual({
      all: false,
      masters: ['2', '4-future'],
    });
    expect(keptOf('entry', ['prices 2']).masters).toEqual(['2']);
    expect(keptOf('standard-entry', ['prices 2']).all).toBe(true);
    expect(keptOf('product', ['prices 2'])).toEqual({ all: false, masters: [] });
    expect(keptOf('entry', [])).toEqual({ all: false, masters: [] });
  });
});

describe('a refresh is due', () => {
  const begun = { begunAt: '2027-01-04T08:00:00.000Z', awaited: ['2027-01-05'] };
  const moment = { asked: null, everyMs: 86_400_000, zone: 'UTC' };
  it.each([
    ['not before its time', '2027-01-04T23:59:59.000Z', {}, false],
    ['in its time', '2027-01-05T08:00:00.000Z', { awaited: [] }, true],
    ['when somebody asks', '2027-01-04T08:00:01.000Z', { asked: '2027-01-04T08:00:00.500Z' }, true],
    ['not for what was asked before', '2027-01-04T08:00:01.000Z', { asked: '2027-01-04T07:00:00.000Z' }, false],
    ['on a day that was waited for', '2027-01-05T00:00:01.000Z', {}, true],
    ['on that day where the tenant is', '2027-01-04T23:30:00.000Z', { zone: 'Europe/Paris' }, true],
    ['not a second time on that day', '2027-01-05T09:00:00.000Z', { begunAt: '2027-01-05T08:59:00.000Z' }, false],
  ])('%s', (_, at, more, expected) => {
    const { begunAt, awaited, ...told } = { ...begun, ...moment, ...more };
    expect(isDue({ begunAt, awaited }, { ...told, at })).toBe(expected);
  });
});
