import { describe, expect, it } from 'vitest';
import {
  type CatalogPrice,
  type FutureList,
  priceKeys,
  renewalEffect,
} from '../../../src/mirror/orders/price-effect.ts';

/** What a future price list changes of a renewal: quantity times the partner price of each list. */

const EUROPE: FutureList = { key: '1-future', currency: 'EUR', from: '2027-02-01' };
const OTHER: FutureList = { key: '7-future', currency: 'EUR', from: '2027-03-01' };
const renewal = { startDate: '2027-04-01', currency: 'EUR' };
const line = (id: string, quantity = 1, more: object = {}) => ({
  ...{ id, product: 'P-1', revenueType: 'YLC', quantity, unitListPrice: 100, ...more },
});
const prices = (of: Readonly<Record<string, readonly [number | null, number | null]>>) =>
  new Map<string, CatalogPrice>(Object.entries(of).map(([key, [list, partner]]) => [key, { list, partner }]));
const BOTH = prices({ '1/P-1/YLC': [100, 60], '1-future/P-1/YLC': [103, 61.8] });

describe('a renewal that begins after the start of a future price list', () => {
  it('shows both amounts, the difference, and the day from which the prices count', () => {
    const { lines, order } = renewalEffect(renewal, [line('a', 3), line('b', 2)], [EUROPE], BOTH);
    expect(lines.get('a')).toEqual({ today: 180, future: 185.4, difference: 5.4 });
    expect(order).toEqual({ today: 300, future: 309, difference: 9, from: '2027-02-01' });
  });

  it.each<[string, Partial<typeof renewal>, number | null]>([
    ['on the day on which the list begins', { startDate: '2027-02-01' }, 1.8],
    ['a day before it', { startDate: '2027-01-31' }, null],
    ['in another currency', { currency: 'USD' }, null],
  ])('%s: an effect of %s', (_, changed, difference) => {
    const { order } = renewalEffect({ ...renewal, ...changed }, [line('a')], [EUROPE], BOTH);
    expect(order?.difference ?? null).toBe(difference);
  });

  it('leaves out lines whose product has no price in one of both lists', () => {
    const some = [line('a'), line('b', 1, { product: 'P-2' }), line('c', 1, { revenueType: 'PLC' })];
    const priced = new Map([...BOTH, ...prices({ '1/P-2/YLC': [5, 4] })]);
    const { lines, order } = renewalEffect(renewal, some, [EUROPE], priced);
    expect([...lines.keys()]).toEqual(['a']);
    expect(order?.today).toBe(60);
  });

  it('rounds to the precision of the currency, each line once', () => {
    const third = prices({ '3/P-1/YLC': [100, 33.335], '3-future/P-1/YLC': [103, 34.5] });
    const yen = { key: '3-future', currency: 'JPY', from: '2027-02-01' };
    const { order } = renewalEffect({ ...renewal, currency: 'JPY' }, [line('a')], [yen], third);
    expect(order).toMatchObject({ today: 33, future: 35, difference: 2 });
  });
});

describe('several price lists in the currency', () => {
  const two = prices({
    ...{ '1/P-1/YLC': [100, 60], '1-future/P-1/YLC': [103, 62] },
    ...{ '7/P-1/YLC': [90, 50], '7-future/P-1/YLC': [99, 55] },
  });

  it('the one counts whose price today is the list price of the line', () => {
    const { order } = renewalEffect(renewal, [line('a', 1, { unitListPrice: 90 })], [EUROPE, OTHER], two);
    expect(order).toEqual({ today: 50, future: 55, difference: 5, from: '2027-03-01' });
  });

  it('none counts if that is unclear, and any if they agree', () => {
    const unknown = [line('a', 1, { unitListPrice: 1 })];
    expect(renewalEffect(renewal, unknown, [EUROPE, OTHER], two).order).toBeNull();
    const same = prices({
      ...{ '1/P-1/YLC': [100, 60], '1-future/P-1/YLC': [103, 62] },
      ...{ '7/P-1/YLC': [90, 60], '7-future/P-1/YLC': [99, 62] },
    });
    expect(renewalEffect(renewal, unknown, [EUROPE, OTHER], same).order?.difference).toBe(2);
  });

  it('names each price once that must be read', () => {
    expect(priceKeys([line('a'), line('b')], [EUROPE])).toEqual(['1-future/P-1/YLC', '1/P-1/YLC']);
  });
});
