import { describe, expect, test } from 'vitest';
import { observeCrm } from '../../../../src/domain/mapping/index.ts';
import { FIELD_NAMES } from '../../../../src/domain/record/fields.ts';
import {
  ACCOUNT,
  bareConfig,
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
/** What the usual deal of the fixtures shows, by canonical field; it has no other. */
const EXPECTED: Readonly<Record<string, unknown>> = {
  name: 'Core switches',
  dsOwnerEmail: 'psm@vendor.test',
  status: 'OPPY_OPEN',
  forecastCategory: 'COMMIT',
  closeDate: '2026-06-30',
  cometCampaignCode: 'CAMP-1',
  reasonWon: ['SOLUTION_FUNCT', 'LWR_IMPL_COST'],
  reasonLost: [],
  competitors: ['ACME', 'GLOBEX'],
  reasonWonLostComment: null,
  gtmTacticId: null,
  description: 'Replace the core',
  nextMilestone: 'Demo',
  nextMilestoneDate: '2026-04-15',
  currency: 'EUR',
  customerSiteId: null,
  customerLegalEntity: ENTITY,
  offerLines: [
    { crmLineId: '00k000000000001AAA', offerNameId: 'OFFER-A', amount: '100.1', revenueType: 'UPFRONT' },
    { crmLineId: '00k000000000002AAA', offerNameId: 'OFFER-B', amount: '250', revenueType: null },
  ],
  customerContacts: [
    {
      email: 'peter@initech.test',
      firstName: 'Peter',
      lastName: 'Gibbons',
      phoneNumber: '+33 1',
      salutation: null,
      jobTitle: 'Engineer',
    },
  ],
  partnerContacts: [
    { salesRepEmail: 'rep@partner.test', salesRepFirstName: 'Sam', salesRepLastName: 'Seller' },
  ],
};

test.each(FIELD_NAMES)('%s', (field) => {
  const { record, issues } = observeCrm(crmGraph(), config);
  expect(record[field]).toEqual(EXPECTED[field] ?? null);
  expect(issues).toEqual([]);
});

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

test.each(HIDING)('an empty Opportunity.%s is unset, and never the empty string', (empty, field) => {
  if (field === 'status')
    return expect(observeCrm(crmGraph({ [empty]: '' }), config).record.status).toBeUndefined();
  for (const nothing of [null, '']) {
    const { record } = observeCrm(crmGraph({ [empty]: nothing }), config);
    const value = record[field as 'name'] as unknown;
    expect(Array.isArray(value) ? value.length : value).toBe(Array.isArray(value) ? 0 : null);
  }
});

describe('status', () => {
  test.each(['Not in the table', 'constructor'])('stage %s is unknown and reported', (StageName) => {
    const { record, issues } = observeCrm(crmGraph({ StageName }), config);
    expect(record).not.toHaveProperty('status');
    expect(issues).toMatchObject([{ code: 'no-code-for-value', field: 'status' }]);
    expect(issues[0]?.message).not.toContain(StageName);
    expect(issues[0]?.message).toContain('ask the administrator to add this one to the mapping');
  });

  test('a stage whose status has no tenant code is unknown and reported', () => {
    const { record, issues } = observeCrm(crmGraph({ StageName: 'Closed Lost' }), bareConfig());
    expect(record).not.toHaveProperty('status');
    expect(issues).toMatchObject([{ code: 'no-code-for-value', field: 'status' }]);
  });
});

describe('dates', () => {
  test('an instant is its date in the tenant’s zone', () => {
    const graph = crmGraph({ CloseDate: '2026-06-30T22:30:00.000Z' });
    expect(observeCrm(graph, mappingConfig({ zone: 'Europe/Paris' })).record.closeDate).toBe('2026-07-01');
  });

  test('a text that is no date is unknown', () => {
    const { record } = observeCrm(crmGraph({ CloseDate: '30.06.2026' }), config);
    expect(Object.keys(record)).not.toContain('closeDate');
  });
});

describe('codes', () => {
  test('only a forecast is read by the tenant’s codes of forecasts', () => {
    const { record } = observeCrm(crmGraph({ Name: 'LONGSHOT', Description: 'LONGSHOT' }), config);
    expect(record).toMatchObject({ name: 'LONGSHOT', description: 'LONGSHOT' });
  });

  test('names read as the tenant’s codes, EMPTY as no reason, unknown codes as they are', () => {
    const { record } = observeCrm(
      crmGraph({
        Vendor_Forecast_Category__c: 'LONGSHOT',
        Vendor_Reasons_Lost__c: 'NO_PROJECT;X_NEW;EMPTY',
        Vendor_Competitors__c: 'EMPTY;ACME;ACME;',
      }),
      config,
    );
    expect(record.forecastCategory).toBe('LONG');
    expect(record.reasonLost).toEqual(['NO_PROJ', 'X_NEW']);
    expect(record.competitors).toEqual(['EMPTY', 'ACME']);
  });

  test('no member is none, also where the tenant gives a code to a name that is empty', () => {
    const values = { ...config.values, reasonLost: { '': 'X_NONE' } };
    const graph = crmGraph({ Vendor_Reasons_Lost__c: null, Vendor_Reasons_Won__c: '' });
    const { record } = observeCrm(graph, mappingConfig({ values }));
    expect([record.reasonLost, record.reasonWon]).toEqual([[], []]);
  });
});

describe('currency', () => {
  test('is the tenant’s where the org has one currency only', () => {
    const opportunity = without(OPPORTUNITY, 'CurrencyIsoCode');
    expect(
      observeCrm(crmGraph({}, { opportunity }), mappingConfig({ currency: 'CHF' })).record.currency,
    ).toBe('CHF');
  });

  test('sets the precision of the amounts', () => {
    const lines = [lineRow('1', 'OFFER-A', 100.5, null)];
    const { record } = observeCrm(crmGraph({ CurrencyIsoCode: 'JPY' }, { lines }), config);
    expect(record.offerLines?.[0]?.amount).toBe('101');
  });
});

describe('company', () => {
  test('a deal without account has no entity and no site', () => {
    const { record } = observeCrm(crmGraph({ AccountId: null }, { account: null }), config);
    expect(record).toMatchObject({ customerSiteId: null, customerLegalEntity: null });
  });

  test('an account that may not be seen is unknown', () => {
    const { record } = observeCrm(crmGraph({}, { account: null }), config);
    expect(Object.keys(record)).not.toContain('customerSiteId');
    expect(Object.keys(record)).not.toContain('customerLegalEntity');
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
    expect(issues[0]?.message).toContain('its product has no "Vendor: offer id"');
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

  test('a revenue type that nobody mapped stays as it is', () => {
    const lines = [lineRow('1', 'OFFER-A', 1, 'SUPPORT_SERVICES')];
    expect(observeCrm(crmGraph({}, { lines }), config).record.offerLines?.[0]?.revenueType).toBe(
      'SUPPORT_SERVICES',
    );
  });

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

  test('of two with one e-mail address, in whatever spelling, the first goes, and the other is told', () => {
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

  test('an incomplete one in two roles is reported once', () => {
    const bare = { ...CONTACT, Id: OTHER, Email: null };
    const { issues } = observeCrm(crmGraph({}, { contacts: [CONTACT, bare, bare] }), config);
    expect(issues).toMatchObject([{ code: 'contact-incomplete' }]);
  });

  test('addresses that differ in more than case are two contacts', () => {
    const contacts = [
      { ...CONTACT, Email: 'weiß@initech.test' },
      { ...CONTACT, Id: OTHER, Email: 'weiss@initech.test' },
    ];
    const { record } = observeCrm(crmGraph({}, { contacts }), config);
    expect(record.customerContacts).toHaveLength(2);
  });

  test('hidden contact fields and owners are unknown', () => {
    const contacts = [without(CONTACT, 'Phone')];
    const { record, issues } = observeCrm(crmGraph({}, { contacts, owner: null }), config);
    expect(Object.keys(record)).not.toContain('customerContacts');
    expect(Object.keys(record)).not.toContain('partnerContacts');
    expect(issues).toMatchObject([{ code: 'field-hidden', field: 'customerContacts' }]);
  });

  test('one contact with a hidden field makes the whole list unknown, for it is sent whole', () => {
    const contacts = [CONTACT, without(CONTACT, 'Phone')];
    const { record } = observeCrm(crmGraph({}, { contacts }), config);
    expect(Object.keys(record)).not.toContain('customerContacts');
  });

  test.each(['Email', 'FirstName', 'LastName'])(
    'an owner whose %s is hidden is unknown, and reported',
    (field) => {
      const { record, issues } = observeCrm(crmGraph({}, { owner: without(OWNER, field) }), config);
      expect(Object.keys(record)).not.toContain('partnerContacts');
      expect(issues).toMatchObject([{ code: 'field-hidden', field: 'partnerContacts' }]);
    },
  );

  test('an incomplete owner is reported, and does not clear the vendor’s partner contact', () => {
    const { record, issues } = observeCrm(crmGraph({}, { owner: { ...OWNER, FirstName: null } }), config);
    expect(Object.keys(record)).not.toContain('partnerContacts');
    expect(issues).toMatchObject([{ code: 'contact-incomplete', field: 'partnerContacts' }]);
    expect(issues[0]?.message).toContain('complete the user');
  });
});
