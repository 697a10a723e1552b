import { describe, expect, test } from 'vitest';
import { observeCrm } from '../../../../src/domain/mapping/index.ts';
import { FIELD_NAMES } from '../../../../src/domain/record/fields.ts';
import {
  ACCOUNT,
  CONTACT,
  crmGraph,
  LINES,
  lineRow,
  mappingConfig,
  OPPORTUNITY,
  OWNER,
  without,
} from '../../../support/mapping/fixtures.ts';

const config = mappingConfig();

const ENTITY = {
  crmAccountId: '001000000000001AAA',
  name: 'Initech',
  city: 'Lyon',
  country: 'FR',
  addressLine1: 'Main Street 1',
  addressLine2: 'Building B\nDoor 3',
  statePrefecture: 'Rhône',
  zipCode: '69001',
  websiteUrl: 'https://initech.test',
  dunsNumber: '123456789',
  vatNumber: null,
  registrationId: null,
};

const HIDING: readonly [string, string][] = [
  ['Name', 'name'],
  ['StageName', 'status'],
  ['CloseDate', 'closeDate'],
  ['Description', 'description'],
  ['Vendor_Owner_Email__c', 'dsOwnerEmail'],
  ['Vendor_Forecast_Category__c', 'forecastCategory'],
  ['Vendor_Campaign_Code__c', 'cometCampaignCode'],
  ['Vendor_Reasons_Won__c', 'reasonWon'],
  ['Vendor_Reasons_Lost__c', 'reasonLost'],
  ['Vendor_Competitors__c', 'competitors'],
  ['Vendor_Reason_Comment__c', 'reasonWonLostComment'],
  ['Vendor_GTM_Tactic__c', 'gtmTacticId'],
  ['Vendor_Next_Milestone__c', 'nextMilestone'],
  ['Vendor_Next_Milestone_Date__c', 'nextMilestoneDate'],
];

test.each(HIDING)('a user who may not see Opportunity.%s does not know %s', (hidden, field) => {
  const { record, issues } = observeCrm(crmGraph({}, { opportunity: without(OPPORTUNITY, hidden) }), config);
  expect(record).not.toHaveProperty(field);
  expect(issues).toMatchObject([{ code: 'field-hidden', field }]);
  expect(Object.keys(record)).toHaveLength(FIELD_NAMES.length - 1);
});

describe('status', () => {
  test.each(['Not in the table', 'constructor'])('stage %s is unknown and reported', (StageName) => {
    const { record, issues } = observeCrm(crmGraph({ StageName }), config);
    expect(record).not.toHaveProperty('status');
    expect(issues).toMatchObject([{ code: 'no-code-for-value', field: 'status' }]);
    expect(issues[0]?.message).not.toContain(StageName);
    expect(issues[0]?.message).toContain('ask the administrator to add this one to the mapping');
  });
});

describe('company', () => {
  test('a deal without account has no entity and no site', () => {
    const { record } = observeCrm(crmGraph({ AccountId: null }, { account: null }), config);
    expect(record).toMatchObject({ customerSiteId: null, customerLegalEntity: null });
  });

  test.each(['Name', 'BillingStreet', 'Website', 'Vendor_VAT_Number__c'])(
    'a hidden Account.%s makes the entity unknown, for it is sent whole',
    (field) => {
      const { record } = observeCrm(crmGraph({}, { account: without(ACCOUNT, field) }), config);
      expect(record).not.toHaveProperty('customerLegalEntity');
      expect(record).toHaveProperty('customerSiteId', null);
    },
  );

  test('a hidden site id is unknown, and the entity is not', () => {
    const { record } = observeCrm(crmGraph({}, { account: without(ACCOUNT, 'Vendor_Site_Id__c') }), config);
    expect(Object.keys(record)).not.toContain('customerSiteId');
    expect(record.customerLegalEntity).toEqual(ENTITY);
  });

  test.each([
    ['One line', 'One line', null],
    ['One\r\nTwo\r\nThree', 'One', 'Two\nThree'],
    ['\nTwo', null, 'Two'],
    [null, null, null],
  ])('street %j is %j and %j', (BillingStreet, addressLine1, addressLine2) => {
    const { record } = observeCrm(crmGraph({}, { account: { ...ACCOUNT, BillingStreet } }), config);
    expect(record.customerLegalEntity).toMatchObject({ addressLine1, addressLine2 });
  });
});

describe('lines', () => {
  test('the partner’s own products are left out and reported', () => {
    const lines = [...LINES, lineRow('00k000000000003AAA', null, 10, null)];
    const { record, issues } = observeCrm(crmGraph({}, { lines }), config);
    expect(record.offerLines).toHaveLength(2);
    expect(issues).toMatchObject([{ code: 'line-not-shared', field: 'offerLines' }]);
    expect(issues[0]?.message).toContain('its product belongs to no offer');
  });

  test.each(['Product2.Vendor_Offer_Id__c', 'TotalPrice', 'Vendor_Revenue_Type__c'])(
    'are unknown to a user who may not see %s',
    (field) => {
      const lines = LINES.map((row) => without(row, field));
      const { record, issues } = observeCrm(crmGraph({}, { lines }), config);
      expect(record).not.toHaveProperty('offerLines');
      expect(issues).toMatchObject([{ code: 'field-hidden', field: 'offerLines' }]);
    },
  );

  test('one that is not made yet has no id', () => {
    const lines = [without(lineRow('', 'OFFER-A', 1, null), 'Id')];
    expect(observeCrm(crmGraph({}, { lines }), config).record.offerLines).toStrictEqual([
      { offerNameId: 'OFFER-A', amount: '1', revenueType: null },
    ]);
  });
});

describe('contacts', () => {
  const OTHER = '003000000000002AAA';

  test.each(['Email', 'FirstName', 'LastName'])('one without %s is left out and reported', (field) => {
    const contacts = [CONTACT, { ...CONTACT, Id: OTHER, [field]: null }];
    const { record, issues } = observeCrm(crmGraph({}, { contacts }), config);
    expect(record.customerContacts).toHaveLength(1);
    expect(issues).toMatchObject([{ code: 'contact-incomplete', field: 'customerContacts' }]);
    expect(issues[0]?.message).not.toContain('Peter');
    expect(issues[0]?.message).toContain('complete the contact');
  });

  test('of two with one e-mail address, in whatever spelling, the first goes, and the other is reported', () => {
    const other = { ...CONTACT, Id: OTHER, Email: 'PETER@initech.test', FirstName: 'Pete' };
    const { record, issues } = observeCrm(crmGraph({}, { contacts: [CONTACT, other] }), config);
    expect(record.customerContacts?.map((contact) => contact.firstName)).toEqual(['Peter']);
    expect(issues).toMatchObject([{ code: 'contact-repeated', field: 'customerContacts' }]);
    expect(issues[0]?.message).not.toContain('@');
  });

  test('one in two roles is one contact, and nobody has to act', () => {
    const { record, issues } = observeCrm(crmGraph({}, { contacts: [CONTACT, CONTACT] }), config);
    expect(record.customerContacts).toHaveLength(1);
    expect(issues).toEqual([]);
  });

  test('addresses that differ in more than case are two contacts', () => {
    const contacts = [
      { ...CONTACT, Email: 'weiß@initech.test' },
      { ...CONTACT, Id: OTHER, Email: 'weiss@initech.test' },
    ];
    const { record } = observeCrm(crmGraph({}, { contacts }), config);
    expect(record.customerContacts).toHaveLength(2);
  });

  test.each(['Email', 'FirstName', 'LastName'])('an owner whose %s is hidden is unknown, and reported', (field) => {
    const { record, issues } = observeCrm(crmGraph({}, { owner: without(OWNER, field) }), config);
    expect(Object.keys(record)).not.toContain('partnerContacts');
    expect(issues).toMatchObject([{ code: 'field-hidden', field: 'partnerContacts' }]);
  });

  test('an incomplete owner is reported, and does not clear the vendor’s partner contact', () => {
    const { record, issues } = observeCrm(crmGraph({}, { owner: { ...OWNER, FirstName: null } }), config);
    expect(Object.keys(record)).not.toContain('partnerContacts');
    expect(issues).toMatchObject([{ code: 'contact-incomplete', field: 'partnerContacts' }]);
    expect(issues[0]?.message).toContain('complete the user');
  });
});
