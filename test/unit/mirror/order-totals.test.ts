import { describe, expect, it } from 'vitest';
import { orderTotals } from '../../../src/mirror/orders/order-totals.ts';

const order = (id: string, more: object = {}) => ({
  Vendor_Order_Id__c: id,
  Net_Amount__c: 0.1,
  Currency__c: 'EUR',
  Booked__c: '2027-01-01T00:00:00.000+0000',
  Status__c: 'APP',
  Vendor_Modified__c: '2027-01-02T00:00:00.000+0000',
  ...more,
});

describe('what the orders of an opportunity come to', () => {
  it('is nothing where there are none', () => {
    expect(orderTotals([])).toEqual({
      Vendor_Order_Count__c: 0,
      Vendor_Booked_Amount__c: null,
      Vendor_Booked_Currency__c: null,
      Vendor_Last_Order_Status__c: null,
      Vendor_Last_Order_Change__c: null,
    });
  });

  it('is the sum of those that are booked, to the cent, and how many there are', () => {
    const result = orderTotals([
      order('A'),
      order('B', { Net_Amount__c: 0.2 }),
      order('C', { Booked__c: null, Net_Amount__c: 1000 }),
      order('D', { Net_Amount__c: null }),
    ]);
    expect(result).toMatchObject({
      Vendor_Order_Count__c: 4,
      Vendor_Booked_Amount__c: 0.3,
      Vendor_Booked_Currency__c: 'EUR',
    });
  });

  it.each(['CAN', 'CCD', 'RFD', 'CRFU', 'QUOR', 'Cancelled', 'Discarded', 'Finance Refused'])(
    'leaves out a booked order that is %s by now, and counts it as an order',
    (status) => {
      const totals = orderTotals([order('A'), order('B', { Status__c: status, Currency__c: 'CHF' })]);
      expect(totals).toMatchObject({
        Vendor_Order_Count__c: 2,
        Vendor_Booked_Amount__c: 0.1,
        Vendor_Booked_Currency__c: 'EUR',
      });
    },
  );

  it.each([
    ['JPY', 1, [0.4, 0.4]],
    ['KWD', 1.235, [1.2345, 0.0001]],
    ['EUR', 0.3, [0.1, 0.2]],
    ['a currency that nobody knows', 0.3, [0.1, 0.2]],
  ])('has the precision of %s', (currency, sum, amounts) => {
    const orders = amounts.map((amount, place) =>
      order(String(place), { Net_Amount__c: amount, Currency__c: currency }),
    );
    expect(orderTotals(orders)['Vendor_Booked_Amount__c']).toBe(sum);
  });

  it('is no amount where the currencies differ, and both are reported', () => {
    expect(orderTotals([order('A'), order('B', { Currency__c: 'CHF' })])).toMatchObject({
      Vendor_Booked_Amount__c: null,
      Vendor_Booked_Currency__c: 'CHF, EUR',
    });
  });

  it.each([
    [
      'the one that changed last',
      order('B', { Status__c: 'STSV', Vendor_Modified__c: '2027-01-03T00:00:00.000+0000' }),
      'STSV',
    ],
    ['the greater id of two in one second', order('B', { Status__c: 'STSV' }), 'STSV'],
    [
      'one that tells when, before one that does not',
      order('B', { Status__c: 'STSV', Vendor_Modified__c: null }),
      'APP',
    ],
  ])('tells the status of %s', (_, other, status) => {
    expect(orderTotals([order('A'), other])['Vendor_Last_Order_Status__c']).toBe(status);
    expect(orderTotals([other, order('A')])['Vendor_Last_Order_Status__c']).toBe(status);
  });
});
