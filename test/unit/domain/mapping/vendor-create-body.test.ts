import { describe, expect, test } from 'vitest';
import { createBody, observeCrm } from '../../../../src/domain/mapping/index.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { fieldWords } from '../../../../src/domain/record/field-labels.ts';
import { bareConfig, crmGraph, mappingConfig } from '../../../support/mapping/fixtures.ts';

const config = mappingConfig();
const reference = '006000000000001AAA';
const usual = observeCrm(crmGraph(), config).record;

function bodyOf(record: Observed, tenant = config): Record<string, unknown> {
  const { intent } = createBody(record, { reference, config: tenant });
  if (intent === null) throw new Error('expected a body');
  return intent.body as Record<string, unknown>;
}

function coreOf(record: Observed, tenant = config): Record<string, unknown> {
  return bodyOf(record, tenant)['leadOpportunity'] as Record<string, unknown>;
}

function without(field: keyof Observed): Observed {
  return Object.fromEntries(Object.entries(usual).filter(([name]) => name !== field));
}

test('the whole body of the usual deal (sales spec 4.1)', () => {
  expect(bodyOf(usual)).toEqual({
    partnerId: 'P000123',
    leadOpportunity: {
      partnerLeadOpportunityId: reference,
      name: 'Core switches',
      dsOwnerEmail: 'psm@vendor.test',
      status: 'OPPY_OPEN',
      forecastCategory: 'COMMIT',
      closeDate: '2026-06-30T00:00:00.000Z',
      cometCampaignCode: 'CAMP-1',
      reasonWon: ['SOLUTION_FUNCT', 'LWR_IMPL_COST'],
      competitors: ['ACME', 'GLOBEX'],
      description: 'Replace the core',
      nextMilestone: 'Demo',
      nextMilestoneDate: '2026-04-15T00:00:00.000Z',
      currency: 'EUR',
    },
    offerLines: [
      { offerNameId: 'OFFER-A', amount: 100.1, revenueType: 'UPFRONT' },
      { offerNameId: 'OFFER-B', amount: 250 },
    ],
    customerLegalEntity: {
      name: 'Initech',
      city: 'Lyon',
      country: 'FR',
      addressLine1: 'Main Street 1',
      addressLine2: 'Building B\nDoor 3',
      statePrefecture: 'Rhône',
      zipCode: '69001',
      websiteUrl: 'https://initech.test',
      dunsNumber: '123456789',
    },
    customerContacts: [
      {
        email: 'peter@initech.test',
        firstName: 'Peter',
        lastName: 'Gibbons',
        phoneNumber: '+33 1',
        jobTitle: 'Engineer',
      },
    ],
    partnerContacts: [{ salesRepEmail: 'rep@partner.test', salesRepFirstName: 'Sam', salesRepLastName: 'Seller' }],
  });
});

test('the intent names the fields that it carries, as a read will show them', () => {
  const { intent, issues } = createBody(usual, { reference, config: bareConfig() });
  expect(issues).toEqual([]);
  expect(intent?.fields).not.toContain('reasonLost');
  expect(intent?.fields).not.toContain('customerSiteId');
  expect(Object.keys(intent?.record ?? {}).sort()).toEqual([...(intent?.fields ?? [])].sort());
  expect(intent?.record.offerLines?.[0]).toEqual({
    crmLineId: '00k000000000001AAA',
    offerNameId: 'OFFER-A',
    amount: '100.1',
    revenueType: null,
  });
});

describe('required fields', () => {
  test.each(['name', 'status', 'closeDate', 'currency', 'offerLines', 'customerLegalEntity'] as const)(
    'without %s nothing is sent, and the issue says so',
    (field) => {
      for (const record of [without(field), { ...usual, [field]: field === 'offerLines' ? [] : null }]) {
        const { intent, issues } = createBody(record as Observed, { reference, config });
        expect(intent).toBeNull();
        expect(issues).toMatchObject([{ code: 'required-on-create', field }]);
      }
    },
  );

  test('a site id without its entity says nothing of its own', () => {
    const record = { ...without('customerLegalEntity'), customerSiteId: 'SITE-1' };
    const { issues } = createBody(record as Observed, { reference, config });
    expect(issues).toMatchObject([{ code: 'required-on-create', field: 'customerLegalEntity' }]);
    expect(issues).toHaveLength(1);
  });

  test('each repair of a lead can be done on a lead', () => {
    for (const field of ['name', 'status', 'closeDate', 'currency', 'offerLines', 'customerLegalEntity'] as const) {
      const [issue] = createBody(without(field), { reference, config: { ...config, of: 'lead' } }).issues;
      expect(issue?.message).not.toMatch(/Opportunity|opportunity|Account|Stage\b/);
    }
  });

  test.each([
    ['name', 'fill in the Opportunity Name'],
    ['status', 'choose a Stage that has a status at the vendor'],
    ['closeDate', 'fill in the Close Date'],
    ['currency', 'fill in the Opportunity Currency, or ask the administrator'],
    ['offerLines', 'add a product that has a "Vendor: offer id"'],
    ['customerLegalEntity', 'choose an Account'],
  ] as const)('the issue of %s says what to do: %s', (field, repair) => {
    const [issue] = createBody(without(field), { reference, config }).issues;
    expect(issue?.message).toMatch(`The vendor needs the ${fieldWords(field)} to accept a new deal: ${repair}`);
  });

  test('without partner id nothing is sent either', () => {
    const { intent, issues } = createBody(usual, { reference, config: mappingConfig({ partnerId: '' }) });
    expect(intent).toBeNull();
    expect(issues).toMatchObject([{ code: 'required-on-create', field: null }]);
    expect(issues[0]?.message).toContain('fill vendor.partnerId in the tenant file');
  });
});

describe('optional fields', () => {
  test.each([
    'dsOwnerEmail',
    'cometCampaignCode',
    'reasonWonLostComment',
    'gtmTacticId',
    'description',
    'nextMilestone',
    'nextMilestoneDate',
    'forecastCategory',
  ] as const)('unset %s is left out, so that the vendor’s default applies', (field) => {
    for (const unset of [null, '']) expect(coreOf({ ...usual, [field]: unset })).not.toHaveProperty(field);
    expect(coreOf(without(field))).not.toHaveProperty(field);
  });

  test.each(['reasonWon', 'reasonLost', 'competitors'] as const)('empty %s is left out', (field) => {
    expect(coreOf({ ...usual, [field]: [] })).not.toHaveProperty(field);
  });

  test.each(['LEAD_OPEN', 'QUALIFIED', 'ACCEPTED', 'WON'])(
    'no forecast with %s, which is reported, and nobody has to act',
    (status) => {
      const { intent, issues } = createBody({ ...usual, status }, { reference, config });
      expect(intent?.body['leadOpportunity']).not.toHaveProperty('forecastCategory');
      expect(intent?.fields).not.toContain('forecastCategory');
      expect(issues).toMatchObject([{ code: 'forecast-of-vendor' }]);
    },
  );
});

describe('lines', () => {
  test('one that has no exact number is left out and reported', () => {
    const lines = [
      { offerNameId: 'A', amount: '12345678901234567890.12', revenueType: null },
      { offerNameId: 'B', amount: null, revenueType: null },
    ];
    const { intent, issues } = createBody({ ...usual, offerLines: lines }, { reference, config });
    expect(intent?.body['offerLines']).toEqual([{ offerNameId: 'B' }]);
    expect(issues).toMatchObject([{ code: 'no-code-for-value', field: 'offerLines' }]);
    expect(issues[0]?.message).toContain('more digits than the vendor can take');
    expect(intent?.record.offerLines).toStrictEqual([lines[1]]);
  });
});
