import { describe, expect, it } from 'vitest';
import { ACTIVE, difference, type KnownRow } from '../../../src/mirror/difference.ts';
import type { MirrorRow } from '../../../src/mirror/mirror.ts';
import { CHARGE_LINE_MIRROR } from '../../../src/mirror/orders/charge-line-mirror.ts';
import { ORDER_MIRROR } from '../../../src/mirror/orders/order-mirror.ts';
import { orderRows } from '../../../src/mirror/orders/order-rows.ts';
import { KINDS } from '../../../src/mirror/value.ts';
import { orderDetail } from '../../../src/partner-api/order/order-schemas.ts';
import { wireDetail } from '../../support/partner-api/partner-orders.ts';

/** What the CRM shows of an order that the vendor answered in v1. */
const rowsOf = (wire: object) => orderRows(orderDetail('v1').parse(wire));
const plain = wireDetail('v1');
const [condition] = plain.licenseChargeConditions;
const [line] = condition?.licenseChargeBreakdown ?? [];

describe('an order', () => {
  it('becomes its row and its lines, codes raw, numbers at their precision', () => {
    const { order, lines } = rowsOf(plain);
    expect(order).toMatchObject({
      id: 'PO-1',
      fields: {
        Name: 'PO-1',
        Vendor_Order_Id__c: 'PO-1',
        Status__c: 'APP',
        Online_Consent_Status__c: 'S',
        Billing_Cycle__c: 'ANNR360',
        Bill_To_Site_Name__c: 'Acme',
        Bill_To_Site_Location_Id__c: 1,
        Vendor_Created__c: '2026-11-01T10:00:00.000Z',
        Vendor_Modified__c: '2026-11-02T10:00:00.000Z',
        Received_Date__c: null,
        Multi_Year__c: null,
        Vendor_Opportunity_Id__c: 'DS-1',
        Net_Amount__c: 2340.19,
      },
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      id: 'PO-1/1/1',
      fields: {
        Line_Key__c: 'PO-1/1/1',
        Vendor_Order__c: 'PO-1',
        Currency__c: 'EUR',
        Active__c: true,
        Waiver_Duration__c: '3',
        Revenue_Type__c: 'YLC',
        Product_Type__c: 'NU',
        Unit_List_Price__c: 1200.1,
        Distributor_Net_Amount__c: 2340.19,
        Distributor_Discount_Percentage__c: 35,
        Inflation_Ratio__c: 1.03,
      },
    });
  });

  it('has a value for every field of its object, null where the vendor shows none', () => {
    const { order, lines } = rowsOf(plain);
    const has = (fields: object) => Object.keys(fields).sort();
    const mirrored = ({ fields }: { readonly fields: readonly { readonly to: string }[] }) =>
      fields.map(({ to }) => to);
    const ofOrder = [...mirrored(ORDER_MIRROR), 'Name', 'Net_Amount__c', 'Start_Date__c'];
    expect(has(order.fields)).toEqual(ofOrder.sort());
    const ofLine = [...mirrored(CHARGE_LINE_MIRROR), 'Name', ...CHARGE_LINE_MIRROR.others];
    expect(has(lines[0]?.fields ?? {})).toEqual(ofLine.sort());
  });

  it.each([
    ['JPY', 1],
    ['EUR', 0.8],
    ['KWD', 0.803],
  ])('adds up exact amounts and rounds once, to the precision of %s', (currency, sum) => {
    const lines = [0.401, 0.402].map((distributorNetAmount, place) => ({
      ...line,
      sequenceNumber: place + 1,
      distributorNetAmount,
    }));
    const { order } = rowsOf({
      ...plain,
      currency,
      licenseChargeConditions: [{ ...condition, licenseChargeBreakdown: lines }],
    });
    expect(order.fields['Net_Amount__c']).toBe(sum);
  });

  it('starts with its earliest line, and adds up what has an amount', () => {
    const lines = [
      { ...line, startDate: '2027-03-01', distributorNetAmount: 0.1 },
      { ...line, sequenceNumber: 2, startDate: '2027-02-01', distributorNetAmount: 0.2 },
      { ...line, sequenceNumber: 3, startDate: null, distributorNetAmount: null },
    ];
    const { order } = rowsOf({
      ...plain,
      licenseChargeConditions: [{ ...condition, licenseChargeBreakdown: lines }],
    });
    expect(order.fields).toMatchObject({ Start_Date__c: '2027-02-01', Net_Amount__c: 0.3 });
    expect(rowsOf({ ...plain, licenseChargeConditions: [] }).order.fields).toMatchObject({
      Start_Date__c: null,
      Net_Amount__c: null,
    });
  });

  it('tells its lines apart where the vendor numbers none, or two alike, and shows a condition without any', () => {
    const { sequenceNumber: _, ...unnumbered } = line as object & { sequenceNumber: number };
    const keys = rowsOf({
      ...plain,
      licenseChargeConditions: [
        { ...condition, licenseChargeBreakdown: [unnumbered, unnumbered, line, line] },
        { sequenceNumber: 2, lineGroup: 'G2', licenseChargeBreakdown: [] },
        { lineGroup: 'G3' },
      ],
    }).lines.map(({ id }) => id);
    expect(keys).toEqual(['PO-1/1/p1', 'PO-1/1/p2', 'PO-1/1/1', 'PO-1/1/1#2', 'PO-1/2/p1', 'PO-1/p3/p1']);
  });

  it('keeps a status that no document shows, a currency that no org has, and 120 letters of any script', () => {
    const name = '株'.repeat(120);
    const { order } = rowsOf({
      ...plain,
      transaction: { ...plain.transaction, status: 'ZZZ9' },
      currency: 'XTS',
      soldToSite: { id: 'S', name, localName: name, locationId: 7 },
    });
    expect(order.fields).toMatchObject({
      Status__c: 'ZZZ9',
      Currency__c: 'XTS',
      Sold_To_Site_Name__c: name,
      Sold_To_Site_Local_Name__c: name,
    });
  });
});

describe('a value', () => {
  it.each<[keyof typeof KINDS, unknown, unknown]>([
    ['text', ' x ', 'x'],
    ['text', '   ', null],
    ['text', 7, '7'],
    ['text', { a: 1 }, null],
    ['text', 'x'.repeat(300), 'x'.repeat(255)],
    ['text', `${'x'.repeat(254)}😀`, 'x'.repeat(254)],
    ['name', 'x'.repeat(300), 'x'.repeat(80)],
    ['code', { code: 'A', name: 'Accepted', known: true }, 'A'],
    ['code', { code: null, name: 'Odd', known: false }, 'Odd'],
    ['code', null, null],
    ['number', '12.50', 12.5],
    ['number', '', null],
    ['number', 'NaN', null],
    ['number', '1e999', null],
    ['flag', true, 'Yes'],
    ['flag', false, 'No'],
    ['flag', null, null],
    ['date', '2027-02-28', '2027-02-28'],
    ['date', '2027-02-30', null],
    ['date', '2027-02-28T10:00:00Z', '2027-02-28'],
    ['date', '0001-01-01', null],
    ['date', '9999-12-31', null],
    ['date', 'soon', null],
    ['instant', '2027-02-28T10:00:00Z', '2027-02-28T10:00:00.000Z'],
    ['instant', '+275760-09-13T00:00:00.000Z', null],
    ['instant', '', null],
  ])('as %s: %j becomes %j', (kind, given, shown) => {
    expect(KINDS[kind](given)).toBe(shown);
  });
});

describe('the difference', () => {
  const { lines } = rowsOf(plain);
  const compared = (from: readonly KnownRow[], to: readonly MirrorRow[]) =>
    difference(CHARGE_LINE_MIRROR, from, to, 'PO-1');
  const known = compared([], lines).map(({ id, fingerprint }) => ({ id, fingerprint }));

  it('is everything at first, and nothing while nothing changed', () => {
    expect(known.map(({ id }) => id)).toEqual(['PO-1/1/1']);
    expect(compared(known, lines)).toEqual([]);
    expect(compared(known, rowsOf(structuredClone(plain)).lines)).toEqual([]);
  });

  it('is a row whose field changed, whole', () => {
    const changed = rowsOf({ ...plain, currency: 'USD' }).lines;
    expect(compared(known, changed)).toMatchObject([
      { id: 'PO-1/1/1', fields: { Currency__c: 'USD', Quantity__c: 3 } },
    ]);
  });

  it('makes inactive what is gone, once, and shows it again when it returns', () => {
    const gone = compared(known, []);
    expect(gone).toMatchObject([
      { id: 'PO-1/1/1', fields: { Line_Key__c: 'PO-1/1/1', Vendor_Order__c: 'PO-1', [ACTIVE]: false } },
    ]);
    expect(compared(gone, [])).toEqual([]);
    expect(compared(gone, lines)).toMatchObject([{ fields: { [ACTIVE]: true } }]);
  });

  it('leaves what has no such field: an order that one search does not show is not gone', () => {
    expect(difference(ORDER_MIRROR, [{ id: 'PO-1', fingerprint: 'x' }], [], 'PO-1')).toEqual([]);
  });
});
