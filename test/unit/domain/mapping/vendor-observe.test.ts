import { describe, expect, test } from 'vitest';
import { observeVendor, READ_ONLY_FIELDS, syncFields } from '../../../../src/domain/mapping/index.ts';
import type { FieldName } from '../../../../src/domain/record/canonical.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';

const config = mappingConfig({ zone: 'Europe/Paris' });
const readAt = '2026-03-02T08:00:00.000Z';

function recordOf(raw: Record<string, unknown>): Readonly<Record<string, unknown>> {
  return observeVendor(raw, config, readAt).record;
}

/** One row per field and spelling: key in the read, value, canonical field, canonical value. */
const ROWS: readonly [string, unknown, FieldName, unknown][] = [
  ['name', 'Deal', 'name', 'Deal'],
  ['dsOwnerEmail', 'a@b.test', 'dsOwnerEmail', 'a@b.test'],
  ['status', 'OPPY_OPEN', 'status', 'OPPY_OPEN'],
  ['status', 'MYSTERY', 'status', 'MYSTERY'],
  ['status', 'LONGSHOT', 'status', 'LONGSHOT'],
  ['forecastCategory', 'UPSIDE', 'forecastCategory', 'UPSIDE'],
  ['forecastCategory', 'X_NEW', 'forecastCategory', 'X_NEW'],
  ['forecastCategory', 'LONGSHOT', 'forecastCategory', 'LONG'],
  ['closeDate', '2026-06-30T00:00:00.000Z', 'closeDate', '2026-06-30'],
  ['closeDate', '2026-06-30T22:30:00.000Z', 'closeDate', '2026-07-01'],
  ['cometCampaignCode', 'C', 'cometCampaignCode', 'C'],
  ['reasonWon', ['STRNG_VAL_PROP', 'X_NEW', 'STRNG_VAL_PROP'], 'reasonWon', ['STRNG_VAL_PROP', 'X_NEW']],
  ['reasonWon', 'STRNG_VAL_PROP', 'reasonWon', ['STRNG_VAL_PROP']],
  ['reasonWon', ['EMPTY'], 'reasonWon', []],
  ['reasonLost', ['EMPTY'], 'reasonLost', []],
  ['reasonLost', ['FUNC_GAP', '', null], 'reasonLost', ['FUNC_GAP']],
  ['competitors', ['A', 'EMPTY'], 'competitors', ['A', 'EMPTY']],
  ['reasonWonLostComment', 'why', 'reasonWonLostComment', 'why'],
  ['gtmTacticId', 42, 'gtmTacticId', '42'],
  ['description', 'text', 'description', 'text'],
  ['description', true, 'description', 'true'],
  ['nextMilestone', 'EMPTY', 'nextMilestone', 'EMPTY'],
  ['nextMilestoneDate', '2026-04-15T00:00:00.000Z', 'nextMilestoneDate', '2026-04-15'],
  ['currency', 'USD', 'currency', 'USD'],
  ['customerLegalEntity', { id: 'S1', name: 'N' }, 'customerSiteId', 'S1'],
  ['customerLegalEntity', { id: '', name: 'N' }, 'customerSiteId', null],
  ['customerLegalEntity', { id: 'S1', name: null, city: null, country: null }, 'customerLegalEntity', null],
  ['customerLegalEntity', null, 'customerSiteId', null],
  ['customerLegalEntity', null, 'customerLegalEntity', null],
  ['customerLegalEntity', '', 'customerLegalEntity', null],
  ['offerLines', null, 'offerLines', []],
  [
    'offerLines',
    [{ offerNameId: 'O', amount: 1.005, revenueType: 'RENTAL_Q' }],
    'offerLines',
    [line('O', '1.01', 'RENTAL_Q')],
  ],
  ['offerLines', [{ offerNameId: 'O', amount: '7.50' }], 'offerLines', [line('O', '7.5', null)]],
  ['offerLines', [{ offerNameId: 'O', amount: null }], 'offerLines', [line('O', null, null)]],
  ['offerLines', [{ offerNameId: 'O' }], 'offerLines', [line('O', null, null)]],
  ['offerLines', [{ offerNameId: 'O', amount: 1, revenueType: 'Upfront' }], 'offerLines', [line('O', '1', 'UPFRONT')]],
  ['offerLines', [{ offerNameId: null, amount: 0, revenueType: '' }], 'offerLines', [line(null, '0', null)]],
  ['customerContact', null, 'customerContacts', []],
  ['customerContact', [contact()], 'customerContacts', [contact()]],
  ['customerContact', contact(), 'customerContacts', [contact()]],
  ['customerContacts', [contact()], 'customerContacts', [contact()]],
  [
    'customerContact',
    [contact({ email: '' }), contact({ lastName: null })],
    'customerContacts',
    [contact({ email: '' }), contact({ lastName: '' })],
  ],
  ['partnerContact', null, 'partnerContacts', []],
  ['partnerContact', [partner()], 'partnerContacts', [partner()]],
  ['partnerContacts', [partner()], 'partnerContacts', [partner()]],
  [
    'partnerContact',
    [partner({ salesRepEmail: null }), partner({ salesRepFirstName: '' }), partner()],
    'partnerContacts',
    [partner({ salesRepEmail: '' }), partner({ salesRepFirstName: '' }), partner()],
  ],
];

test.each(ROWS)('%s %j reads as %s %j', (key, value, field, expected) => {
  expect(recordOf({ [key]: value })[field]).toEqual(expected);
});

test.each([
  'name',
  'dsOwnerEmail',
  'status',
  'forecastCategory',
  'closeDate',
  'cometCampaignCode',
  'reasonWonLostComment',
  'gtmTacticId',
  'description',
  'nextMilestone',
  'nextMilestoneDate',
  'currency',
])('null and the empty string unset %s; a missing key is unknown', (field) => {
  expect(recordOf({ [field]: null })).toEqual({ [field]: null });
  expect(recordOf({ [field]: '' })).toEqual({ [field]: null });
  expect(recordOf({})).toEqual({});
});

test.each(['reasonWon', 'reasonLost', 'competitors'])('null and the empty string unset %s', (field) => {
  for (const nothing of [null, '', []]) expect(recordOf({ [field]: nothing })).toEqual({ [field]: [] });
});

describe('what is not of the documented kind is unknown and named', () => {
  test.each([
    ['name', { text: 'x' }, 'name'],
    ['closeDate', 'soon', 'closeDate'],
    ['closeDate', 1782777600000, 'closeDate'],
    ['closeDate', ['2026-06-30T00:00:00.000Z'], 'closeDate'],
    ['reasonWon', [{}], 'reasonWon'],
    ['competitors', {}, 'competitors'],
    ['offerLines', 'none', 'offerLines'],
    ['offerLines', [{ offerNameId: 'O', amount: 'lots' }], 'offerLines'],
    ['offerLines', [{ offerNameId: ['O'], amount: 1 }], 'offerLines'],
    ['offerLines', [{ offerNameId: 'O', amount: { value: 1 } }], 'offerLines'],
    ['offerLines', [{ offerNameId: 'O', amount: 1, revenueType: {} }], 'offerLines'],
    [
      'offerLines',
      [
        { offerNameId: 'O', amount: 1 },
        { offerNameId: 'O', amount: 'lots' },
      ],
      'offerLines',
    ],
    ['customerContact', ['x'], 'customerContacts'],
    ['partnerContact', 7, 'partnerContacts'],
  ])('%s %j', (key, value, field) => {
    const seen = observeVendor({ [key]: value }, config, readAt);
    expect(seen.record).toEqual({});
    expect(seen.unknownFields).toEqual([field]);
  });

  test('a legal entity that is no object', () => {
    const seen = observeVendor({ customerLegalEntity: 'Initech' }, config, readAt);
    expect(seen.record).toEqual({});
    expect([...seen.unknownFields].sort()).toEqual(['customerLegalEntity', 'customerSiteId']);
  });
});

test('a legal entity with one key that is no text is unknown, and its site is not', () => {
  const seen = observeVendor({ customerLegalEntity: { id: 'S1', name: 'N', city: ['C'] } }, config, readAt);
  expect(seen.record).toEqual({ customerSiteId: 'S1' });
  expect(seen.unknownFields).toEqual(['customerLegalEntity']);
});

test.each([
  ['JPY', 'EUR', '101'],
  ['EUR', 'JPY', '100.5'],
  ['', 'JPY', '101'],
  [undefined, 'JPY', '101'],
  [undefined, 'EUR', '100.5'],
])('with currency %j, the tenant’s %s, an amount of 100.5 reads as %s', (currency, tenant, amount) => {
  const raw = {
    ...(currency !== undefined && { currency }),
    offerLines: [{ offerNameId: 'O', amount: 100.5 }],
  };
  const { record } = observeVendor(raw, mappingConfig({ currency: tenant }), readAt);
  expect(record.offerLines?.map((one) => one.amount)).toEqual([amount]);
});

test('identity, version and unknown fields', () => {
  const seen = observeVendor(
    {
      dsLeadOpportunityId: 'DS-1',
      partnerLeadOpportunityId: '006000000000001AAA',
      modifiedDate: '2026-03-01T10:00:00.000Z',
      newInV1: 'secret value',
      customerLegalEntity: { name: 'N', parentId: 'P' },
    },
    config,
    readAt,
  );
  expect(seen).toMatchObject({
    vendorId: 'DS-1',
    reference: '006000000000001AAA',
    version: '2026-03-01T10:00:00.000Z',
    unknownFields: ['newInV1', 'customerLegalEntity.parentId'],
    readAt,
  });
  expect(observeVendor({ partnerLeadOpportunityId: '' }, config, readAt)).toMatchObject({
    vendorId: '',
    reference: null,
    version: null,
  });
});

test.each([
  ['006000000000001AAA', undefined],
  ['006000000000001', true],
  [' 006000000000001AAA ', true],
  ['OTHER-7', undefined],
  [null, undefined],
])('a reference that is not as we write it was entered by a person: %j', (held, isEntered) => {
  const seen = observeVendor({ partnerLeadOpportunityId: held }, config, readAt);
  expect(seen.isReferenceEntered).toBe(isEntered);
});

describe('read-only fields', () => {
  test.each(Object.entries(READ_ONLY_FIELDS))('%s shows as %s', (field, target) => {
    const value = field.endsWith('Date') ? '2026-03-01T10:00:00.000Z' : 'shown';
    expect(syncFields(observeVendor({ [field]: value }, config, readAt).readOnly)).toEqual({
      [target]: value,
    });
    for (const nothing of ['', null, 'EMPTY']) {
      expect(syncFields(observeVendor({ [field]: nothing }, config, readAt).readOnly)).toEqual({
        [target]: null,
      });
    }
  });

  test('a date-time that is none, and what the read does not show, are left out', () => {
    expect(syncFields({ createdDate: 'yesterday', modifiedDate: 'today' })).toStrictEqual({});
    expect(observeVendor({ poStatus: {} }, config, readAt).readOnly).toStrictEqual({});
    expect(syncFields(observeVendor({}, config, readAt).readOnly)).toStrictEqual({});
  });
});

function line(offerNameId: string | null, amount: string | null, revenueType: string | null): Record<string, unknown> {
  return { offerNameId, amount, revenueType };
}

function contact(change: Record<string, unknown> = {}): Record<string, unknown> {
  const usual = { email: 'p@i.test', firstName: 'P', lastName: 'G' };
  return { ...usual, phoneNumber: null, salutation: 'Mr', jobTitle: null, ...change };
}

function partner(change: Record<string, unknown> = {}): Record<string, unknown> {
  return { salesRepEmail: 's@p.test', salesRepFirstName: 'S', salesRepLastName: 'R', ...change };
}
