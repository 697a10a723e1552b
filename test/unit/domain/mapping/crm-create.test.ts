import { describe, expect, test } from 'vitest';
import { afterCrmCreate, crmCreate, isCutName, observeVendor } from '../../../../src/domain/mapping/index.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';

const config = mappingConfig();
const readAt = '2026-03-02T23:30:00.000Z';

function create(raw: Record<string, unknown>, tenant = config): ReturnType<typeof crmCreate>['create'] {
  return crmCreate(observeVendor({ dsLeadOpportunityId: 'DS-9', ...raw }, tenant, readAt), tenant).create;
}

test.each([
  ['y'.repeat(121), 'y'.repeat(120), true],
  [`${'y'.repeat(119)} z`, 'y'.repeat(119), true],
  ['y'.repeat(121), 'y'.repeat(119), false],
  ['y'.repeat(120), 'y'.repeat(120), false],
  [undefined, undefined, false],
])('the name %s is cut where the CRM shows %s: %s', (full, shown, expected) => {
  expect(isCutName(full, shown)).toBe(expected);
});

test('a full vendor-created deal', () => {
  const made = create({
    name: 'Deal',
    dsOwnerEmail: 'psm@vendor.test',
    status: 'QUALIFIED',
    forecastCategory: 'UPSIDE',
    closeDate: '2026-06-30T00:00:00.000Z',
    reasonWon: ['A', 'B'],
    currency: 'USD',
    description: '',
    customerLegalEntity: {
      id: 'SITE-1',
      name: 'Initech',
      city: null,
      country: 'FR',
      addressLine2: 'Back door',
    },
    offerLines: [
      { offerNameId: 'OFFER-A', amount: 7.5, revenueType: 'X_NEW' },
      { offerNameId: null, amount: 1 },
    ],
    customerContact: [{ email: 'p@i.test', firstName: 'P', lastName: 'G', jobTitle: 'CTO' }],
    partnerContact: [{ salesRepEmail: 's@p.test', salesRepFirstName: 'S', salesRepLastName: 'R' }],
  });
  expect(made).toEqual({
    vendorId: 'DS-9',
    opportunity: {
      Name: 'Deal',
      StageName: 'Qualification',
      CloseDate: '2026-06-30',
      Vendor_Share__c: true,
      Vendor_Status__c: 'QUALIFIED',
      Vendor_Owner_Email__c: 'psm@vendor.test',
      Vendor_Forecast_Category__c: 'UPSIDE',
      Vendor_Reasons_Won__c: 'A;B',
      CurrencyIsoCode: 'USD',
    },
    account: {
      Name: 'Initech',
      BillingCountry: 'FR',
      BillingStreet: '\nBack door',
      Vendor_Site_Id__c: 'SITE-1',
    },
    lines: [
      {
        'Product2.Vendor_Offer_Id__c': 'OFFER-A',
        Quantity: 1,
        TotalPrice: 7.5,
        Vendor_Revenue_Type__c: 'X_NEW',
      },
    ],
    contacts: [{ Email: 'p@i.test', FirstName: 'P', LastName: 'G', Title: 'CTO' }],
  });
});

test('what the CRM requires and the vendor lacks has a documented fallback', () => {
  expect(create({}, mappingConfig({ zone: 'Europe/Paris' }))).toEqual({
    vendorId: 'DS-9',
    opportunity: {
      Name: 'Vendor deal DS-9',
      CloseDate: '2026-03-03',
      StageName: 'Prospecting',
      Vendor_Share__c: true,
    },
    account: null,
    lines: [],
    contacts: [],
  });
});

describe('account', () => {
  const entity = { name: 'Initech', city: null, country: null };

  test('what the vendor has no value for is left out', () => {
    expect(create({ customerLegalEntity: entity }).account).toEqual({ Name: 'Initech' });
  });

  test.each([
    ['1 Main Street', null, '1 Main Street'],
    ['1 Main Street', 'Back door', '1 Main Street\nBack door'],
    [null, 'Back door', '\nBack door'],
  ])('address lines %j and %j are the street %j', (addressLine1, addressLine2, BillingStreet) => {
    const { account } = create({ customerLegalEntity: { ...entity, addressLine1, addressLine2 } });
    expect(account).toEqual({ Name: 'Initech', BillingStreet });
  });
});

test('once it is made, its owner, its state and when that was read are not known', () => {
  const made = create({ offerLines: [{ offerNameId: 'OFFER-A', amount: null }] });
  expect(afterCrmCreate(made)).toEqual({
    opportunity: made.opportunity,
    account: null,
    lines: [
      {
        'Product2.Vendor_Offer_Id__c': 'OFFER-A',
        Quantity: 1,
        TotalPrice: 0,
        Vendor_Revenue_Type__c: null,
      },
    ],
    contacts: [],
    owner: null,
    sync: null,
    readAt: '',
  });
});

test('the tenant’s own currency is not named, for an org with one currency has no such field', () => {
  expect(create({ currency: 'EUR' }).opportunity).not.toHaveProperty('CurrencyIsoCode');
});
