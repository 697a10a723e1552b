import { describe, expect, it } from 'vitest';
import { type LinkRule, linksOf } from '../../../src/mirror/link-rules.ts';
import { orderLinkRules } from '../../../src/mirror/orders/order-links.ts';

/** What a mirrored row leads to, by declared rules. */

const RULES: readonly LinkRule[] = [
  { field: 'A__c', from: 'One__c', object: 'Account', by: 'X__c' },
  { field: 'A__c', from: 'Two__c', object: 'Account', by: 'Name' },
  { field: 'B__c', from: 'Two__c', object: 'Product2', by: 'Y__c' },
];
const RECORDS: Readonly<Record<string, string>> = {
  'Account.X__c=1': 'acc1',
  'Account.Name=2': 'acc2',
  'Product2.Y__c=2': 'prod',
};
const found = (object: string, by: string, value: string): string | null => RECORDS[`${object}.${by}=${value}`] ?? null;

describe('the lookups of a row', () => {
  it.each([
    ['the first rule that finds one', { One__c: '1', Two__c: '2' }, { A__c: 'acc1', B__c: 'prod' }],
    ['a later rule where the first finds none', { One__c: '9', Two__c: '2' }, { A__c: 'acc2', B__c: 'prod' }],
    ['nothing where none finds one', { One__c: '9', Two__c: '9' }, { A__c: null, B__c: null }],
    ['nothing where there is no value', { One__c: null, Two__c: '' }, { A__c: null, B__c: null }],
    ['what they were where the row does not show the values', { Key__c: 'k' }, {}],
  ])('are %s', (_, row, links) => {
    expect(linksOf(RULES, row, found)).toEqual(links);
  });
});

describe('the rules of a tenant', () => {
  it('find the accounts of an order by the keys of its file, in their order', () => {
    const { Vendor_Order__c: rules } = orderLinkRules({
      soldTo: ['site-id', 'ERP__c', 'local-name'],
      billTo: ['name'],
    });
    expect(rules?.map(({ field, from, by }) => `${field}: ${from} = ${by}`)).toEqual([
      'Sold_To_Account__c: Sold_To_Site_Id__c = Vendor_Site_Id__c',
      'Sold_To_Account__c: Sold_To_Site_Id__c = ERP__c',
      'Sold_To_Account__c: Sold_To_Site_Local_Name__c = Name',
      'Bill_To_Account__c: Bill_To_Site_Name__c = Name',
    ]);
  });

  it('find the opportunity of an order by the purchase order, unless the vendor names one', () => {
    const { Vendor_Order__c: rules = [] } = orderLinkRules({ soldTo: [], billTo: [] }, 'PO__c');
    const at = (more: object) => linksOf(rules, { Bill_To_PO_Reference__c: 'P', ...more }, (...of) => of.join(' '));
    expect(at({ Vendor_Opportunity_Id__c: null })).toEqual({ Opportunity__c: 'Opportunity PO__c P' });
    expect(at({ Vendor_Opportunity_Id__c: 'LO-1' })).toEqual({});
  });

  it('find the product of a line by its number', () => {
    expect(orderLinkRules({ soldTo: [], billTo: [] })).toMatchObject({
      Vendor_Order__c: [],
      Vendor_Order_Line__c: [{ field: 'Product__c', from: 'Product_Number__c', object: 'Product2' }],
    });
  });
});
