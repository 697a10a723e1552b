import { describe, expect, it } from 'vitest';
import { type Found, type FoundRecord, LINK_PROBLEMS, type LinkRule, linksOf } from '../../../src/mirror/link-rules.ts';
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
const found: Found = ({ object, by }, value) => {
  const id = RECORDS[`${object}.${by}=${value}`];
  return id === undefined ? [] : [{ id, customer: null }];
};

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

  describe('find the opportunity of an order by the purchase order', () => {
    const { Vendor_Order__c: rules = [] } = orderLinkRules({ soldTo: [], billTo: [] }, 'PO__c');
    const [own, twin, other]: FoundRecord[] = [
      { id: 'own', customer: 'A' },
      { id: 'twin', customer: 'A' },
      { id: 'other', customer: 'B' },
    ];
    const none = { id: 'none', customer: null };
    const { several, otherCustomer, noCustomer } = LINK_PROBLEMS;
    it.each<[string, readonly (FoundRecord | undefined)[], string | null, string | null, string | null, string | null]>(
      [
        ['of its customer', [own], 'A', null, 'own', null],
        ['of its customer, beside another customer’s', [own, other, none], 'A', null, 'own', null],
        ['that it has, beside a second one', [twin, own], 'A', 'own', 'own', null],
        ['that it has, where the customer became unknown', [own, other], null, 'own', 'own', null],
        ['but none of another customer', [other], 'A', null, null, otherCustomer],
        ['but none of another customer, also not the one it has', [other], 'A', 'other', null, otherCustomer],
        ['but none without a customer', [none], 'A', null, null, otherCustomer],
        ['but none of several', [own, twin], 'A', null, null, several],
        ['but none of several, where the one it had lost the number', [own, twin], 'A', 'former', null, several],
        ['but none where the customer is unknown', [own], null, null, null, noCustomer],
        ['but none where none has the number', [], 'A', 'former', null, null],
      ],
    )('%s', (_, records, customer, current, deal, problem) => {
      const row = { Bill_To_PO_Reference__c: 'P', Sold_To_Account__c: customer, Opportunity__c: current };
      const asked: string[] = [];
      const links = linksOf(rules, { ...row, Vendor_Opportunity_Id__c: null }, ({ object, by }, value) => {
        asked.push(`${object}.${by}=${value}`);
        return records.flatMap((record) => record ?? []);
      });
      expect(links).toEqual({ Opportunity__c: deal, PO_Reference_Problem__c: problem });
      expect(asked).toEqual(['Opportunity.PO__c=P']);
    });

    it('unless the vendor names one', () => {
      const row = { Bill_To_PO_Reference__c: 'P', Vendor_Opportunity_Id__c: 'LO-1', Sold_To_Account__c: 'A' };
      expect(linksOf(rules, row, () => (own === undefined ? [] : [own]))).toEqual({ PO_Reference_Problem__c: null });
    });
  });

  it('find the product of a line by its number', () => {
    expect(orderLinkRules({ soldTo: [], billTo: [] })).toMatchObject({
      Vendor_Order__c: [],
      Vendor_Order_Line__c: [{ field: 'Product__c', from: 'Product_Number__c', object: 'Product2' }],
    });
  });
});
