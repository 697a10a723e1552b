import { describe, expect, it } from 'vitest';
import {
  changesOfDeal,
  needsDeal,
  newDeal,
  type RenewalNotice,
  renewalState,
} from '../../../src/mirror/orders/renewal-deal.ts';

/** When a renewal notification gets an opportunity, and what of it the opportunity follows. */

const RULES = { daysBefore: 120, stage: 'Qualification', share: false };
const TODAY = '2027-01-04';
const EURO = { own: 'EUR' };
const NOTICE: RenewalNotice = {
  ...{ id: 'a01', order: 'RN-1', customer: 'Acme', startDate: '2027-04-01', amount: 1000, currency: 'EUR' },
  ...{ status: 'FRST', accountId: '001', opportunityId: null, isMade: false },
};
const notice = (more: Partial<RenewalNotice> = {}): RenewalNotice => ({ ...NOTICE, ...more });

describe('an opportunity', () => {
  it.each<[string, boolean, Partial<RenewalNotice>, boolean]>([
    ['within its days', true, {}, false],
    ['on the first of its days', true, { startDate: '2027-05-04' }, false],
    ['too early', false, { startDate: '2027-05-05' }, false],
    ['on the day of its start', true, { startDate: TODAY }, false],
    ['after its start', false, { startDate: '2027-01-03' }, false],
    ['on hold', true, { status: 'HOL' }, false],
    ['withdrawn', false, { status: 'CAN' }, false],
    ['ordered', false, { status: 'APP' }, false],
    ['without a known customer', false, { accountId: null }, false],
    ['with an open opportunity', false, { opportunityId: '006' }, true],
    ['with a closed opportunity', true, { opportunityId: '006' }, false],
    ['whose opportunity was created before', false, { isMade: true }, false],
  ])('of a notice %s is created: %s', (_, expected, more, isOpen) => {
    expect(needsDeal(notice(more), RULES, TODAY, isOpen)).toBe(expected);
  });

  it('has customer, day and amount of the notice, and is not shared unless the tenant wants it', () => {
    const deal = newDeal(notice(), RULES, EURO, '005');
    expect(deal).toMatchObject({
      ...{ Name: 'Renewal RN-1 Acme', StageName: 'Qualification', AccountId: '001', OwnerId: '005' },
      ...{ CloseDate: '2027-04-01', Amount: 1000, Vendor_Renewal_Id__c: 'RN-1', Vendor_Renewal_State__c: 'Forecast' },
    });
    expect(deal).not.toHaveProperty('Vendor_Share__c');
    expect(newDeal(notice(), { ...RULES, share: true }, EURO, null)).toMatchObject({ Vendor_Share__c: true });
  });

  it('gets no amount in a currency that the org lacks, and the currency of the notice in an org with several', () => {
    expect(newDeal(notice({ currency: 'JPY' }), RULES, EURO, null)).not.toHaveProperty('Amount');
    expect(newDeal(notice({ currency: 'JPY' }), RULES, { own: null }, null)).toMatchObject({
      ...{ Amount: 1000, CurrencyIsoCode: 'JPY' },
    });
  });
});

describe('a renewal opportunity', () => {
  const deal = { ...newDeal(notice(), RULES, EURO, null), Id: '006', IsClosed: false };

  it('follows amount, day and state', () => {
    expect(changesOfDeal(notice(), deal, EURO)).toBeNull();
    const changes = changesOfDeal(notice({ amount: 1200, startDate: '2027-05-01', status: 'HOL' }), deal, EURO);
    expect(changes).toMatchObject({ Amount: 1200, CloseDate: '2027-05-01', Vendor_Renewal_State__c: 'On hold' });
    expect(
      changesOfDeal(notice({ amount: 1200, startDate: '2027-05-01', status: 'HOL' }), { ...deal, ...changes }, EURO),
    ).toBeNull();
  });

  it('keeps what the seller changed, and follows the other field', () => {
    const edited = { ...deal, CloseDate: '2027-03-15' };
    const changes = changesOfDeal(notice({ amount: 900, startDate: '2027-06-01' }), edited, EURO);
    expect(changes).toMatchObject({ Amount: 900 });
    expect(changes).not.toHaveProperty('CloseDate');
  });

  it('that is closed shows only what became of the notice', () => {
    const closed = { ...deal, IsClosed: true };
    expect(changesOfDeal(notice({ amount: 1, status: 'CAN' }), closed, EURO)).toEqual({
      Vendor_Renewal_State__c: 'Withdrawn',
    });
  });

  it('whose followed values somebody overwrote follows nothing but the state', () => {
    for (const text of ['', 'x', '[]', '{"__proto__":{"Amount":1}}', null]) {
      const odd = { ...deal, Vendor_Renewal_Followed__c: text };
      expect(changesOfDeal(notice({ amount: 1, startDate: '2027-09-09' }), odd, EURO)).toBeNull();
    }
  });
});

it.each([
  ['FRST', 'Forecast'],
  ['Forecast', 'Forecast'],
  ['HOL', 'On hold'],
  ['APP', 'Ordered'],
  ['CAN', 'Withdrawn'],
  ['QUOR', 'Withdrawn'],
  ['DFT', 'Open'],
  ['A new status', 'Open'],
  ['constructor', 'Open'],
  [null, 'Open'],
])('a renewal of the status %s is %s', (status, state) => {
  expect(renewalState(status)).toBe(state);
});
