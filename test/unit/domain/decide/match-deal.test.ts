import { describe, expect, it } from 'vitest';
import {
  DEFAULT_MATCH_KEYS,
  type MatchKey,
  matchCriteria,
  matchDeal,
} from '../../../../src/domain/decide/match-deal.ts';
import type { LegalEntity, Observed } from '../../../../src/domain/record/canonical.ts';
import type { CrmFields } from '../../../../src/domain/record/crm-graph.ts';

const ENTITY: LegalEntity = {
  name: 'Initech',
  city: null,
  country: 'FR',
  addressLine1: null,
  addressLine2: null,
  statePrefecture: null,
  zipCode: null,
  websiteUrl: null,
  dunsNumber: '123456789',
  vatNumber: 'FR1',
  registrationId: null,
};

const DEAL: Observed = {
  name: 'Core switches',
  closeDate: '2027-05-31',
  customerSiteId: null,
  customerLegalEntity: ENTITY,
};

function row(change: CrmFields = {}): CrmFields {
  return {
    Id: '006000000000001AAA',
    IsDeleted: false,
    IsClosed: false,
    Vendor_Share__c: true,
    Vendor_Id__c: null,
    Name: 'Core switches',
    CloseDate: '2027-05-31',
    'Account.Name': 'INITECH',
    'Account.Vendor_Site_Id__c': 'S-1',
    'Account.Vendor_DUNS__c': '123456789',
    'Account.Vendor_VAT_Number__c': null,
    'Account.Vendor_Registration_Id__c': null,
    ...change,
  };
}

const ONE = { verdict: 'one', crmId: '006000000000001AAA' };
const NONE = { verdict: 'none' };
const UNSHARED = { verdict: 'unshared', crmIds: ['006000000000001AAA'] };

describe('what candidates must have in common with a vendor record', () => {
  it.each<[string, Observed, readonly MatchKey[]]>([
    ['no keys', DEAL, []],
    ['a customer without identity', { ...DEAL, customerLegalEntity: null }, DEFAULT_MATCH_KEYS],
    ['a customer that is not shown', { name: 'Core switches' }, DEFAULT_MATCH_KEYS],
    ['an account that is not shown', { ...DEAL, customerLegalEntity: null }, ['account-name']],
    ['a blank name', { ...DEAL, name: '  ' }, ['name']],
    ['one key of two unset', DEAL, ['name', 'account-registration']],
  ])('is nothing with %s', (_, record, keys) => {
    expect(matchCriteria(record, keys)).toBeNull();
    expect(matchDeal(record, [row()], keys)).toEqual(NONE);
  });
});

describe('which opportunity a vendor record is', () => {
  it.each<[string, CrmFields, object]>([
    ['same DUNS, same name', {}, ONE],
    ['a name in other letter case', { Name: ' CORE Switches ' }, ONE],
    ['another name', { Name: 'Core switch' }, NONE],
    ['no identity in common', { 'Account.Vendor_DUNS__c': null }, NONE],
    ['another DUNS', { 'Account.Vendor_DUNS__c': '987654321' }, NONE],
    ['the same DUNS and another VAT number', { 'Account.Vendor_VAT_Number__c': 'FR2' }, NONE],
    ['both the same', { 'Account.Vendor_VAT_Number__c': 'fr1' }, ONE],
    ['only the VAT number', { 'Account.Vendor_DUNS__c': '', 'Account.Vendor_VAT_Number__c': 'FR1' }, ONE],
    ['not shared', { Vendor_Share__c: false }, UNSHARED],
    ['not shared, and closed', { Vendor_Share__c: false, IsClosed: true }, NONE],
    ['not shared, and deleted', { Vendor_Share__c: false, IsDeleted: true }, NONE],
    ['not shared, and with another name', { Vendor_Share__c: false, Name: 'Core switch' }, NONE],
    ['deleted', { IsDeleted: true }, NONE],
    ['closed', { IsClosed: true }, NONE],
    ['linked to another vendor record', { Vendor_Id__c: 'V-2' }, NONE],
  ])('%s', (_, change, verdict) => {
    expect(matchDeal(DEAL, [row(change)], DEFAULT_MATCH_KEYS)).toEqual(verdict);
  });

  it.each<[MatchKey, CrmFields]>([
    ['account-site-id', { 'Account.Vendor_Site_Id__c': 'S-2' }],
    ['account-duns', { 'Account.Vendor_DUNS__c': '1' }],
    ['account-vat', { 'Account.Vendor_VAT_Number__c': 'FR2' }],
    ['account-registration', { 'Account.Vendor_Registration_Id__c': 'R-2' }],
    ['account-name', { 'Account.Name': 'Initrode' }],
    ['name', { Name: 'Other' }],
    ['close-date', { CloseDate: '2027-06-01' }],
  ])('tells by %s alone', (key, other) => {
    const deal = {
      ...DEAL,
      customerSiteId: 'S-1',
      customerLegalEntity: { ...ENTITY, registrationId: 'R-1' },
    };
    const full = { 'Account.Vendor_VAT_Number__c': 'FR1', 'Account.Vendor_Registration_Id__c': 'R-1' };
    expect(matchDeal(deal, [row(full)], [key])).toEqual(ONE);
    expect(matchDeal(deal, [row({ ...full, ...other })], [key])).toEqual(NONE);
  });

  it('names all of several, whatever order they come in, and one that comes twice once', () => {
    const second = row({ Id: '006000000000002AAA' });
    const several = { verdict: 'several', crmIds: ['006000000000001AAA', '006000000000002AAA'] };
    expect(matchDeal(DEAL, [second, row()], DEFAULT_MATCH_KEYS)).toEqual(several);
    expect(matchDeal(DEAL, [row(), row()], DEFAULT_MATCH_KEYS)).toEqual(ONE);
    expect(matchDeal(DEAL, [], DEFAULT_MATCH_KEYS)).toEqual(NONE);
  });
});
