import { describe, expect, it } from 'vitest';
import { criteriaOf } from '../../../src/mirror/orders/order-search.ts';

const NOW = '2026-11-29T12:00:00.000Z';

/** The booking window that the vendor is asked for, from and to. */
function windowOf(row: Readonly<Record<string, string>>, zone: string): readonly unknown[] {
  const read = criteriaOf(row, NOW, zone);
  if ('mistake' in read) return [read.mistake];
  return [read.criteria.bookingDateTime?.from, read.criteria.bookingDateTime?.to];
}

describe('the booking window of a search by a sales person', () => {
  it.each([
    ['UTC', '2026-11-01T00:00:00.000Z', '2026-11-07T23:59:59.000Z'],
    ['Europe/Paris', '2026-10-31T23:00:00.000Z', '2026-11-07T22:59:59.000Z'],
    ['Asia/Tokyo', '2026-10-31T15:00:00.000Z', '2026-11-07T14:59:59.000Z'],
    ['Pacific/Auckland', '2026-10-31T11:00:00.000Z', '2026-11-07T10:59:59.000Z'],
  ])('is made of days of the tenant, in %s', (zone, from, to) => {
    expect(windowOf({ Booked_From__c: '2026-11-01', Booked_To__c: '2026-11-07' }, zone)).toEqual([from, to]);
    expect(windowOf({ Booked_From__c: '2026-11-01' }, zone)).toEqual([from, to]);
    expect(windowOf({ Booked_To__c: '2026-11-07' }, zone)).toEqual([from, to]);
  });

  it('has at most seven times 24 hours, also in the week in which the clocks go back', () => {
    const row = { Booked_From__c: '2026-10-20', Booked_To__c: '2026-10-26' };
    expect(windowOf(row, 'Europe/Paris')).toEqual(['2026-10-19T22:00:00.000Z', '2026-10-26T21:59:59.000Z']);
  });

  it('may begin on a day that has begun in the time zone of the tenant only', () => {
    const [from] = windowOf({ Booked_From__c: '2026-11-30', Booked_To__c: '2026-11-30' }, 'Pacific/Kiritimati');
    expect(from).toBe('2026-11-29T10:00:00.000Z');
    expect(windowOf({ Booked_From__c: '2026-11-30' }, 'UTC')).toEqual([expect.stringContaining('in the future')]);
  });
});
