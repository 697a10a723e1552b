import { describe, expect, test } from 'vitest';
import { sameValue } from '../../../../src/domain/mapping/index.ts';
import type { FieldName, OfferLine } from '../../../../src/domain/record/canonical.ts';
import { FIELD_NAMES } from '../../../../src/domain/record/fields.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';

const config = mappingConfig({ zone: 'Europe/Paris' });

const same = (field: FieldName, a: unknown, b: unknown): boolean => sameValue(field, a, b, config);

const ENTITY = {
  name: 'Initech',
  city: 'Lyon',
  country: 'FR',
  addressLine1: 'Main Street 1',
  addressLine2: 'Building B',
  statePrefecture: 'Rhône',
  zipCode: '69001',
  websiteUrl: 'https://initech.test',
  dunsNumber: '123456789',
  vatNumber: 'FR1',
  registrationId: 'R1',
};
const CONTACT = {
  email: 'p@i.test',
  firstName: 'P',
  lastName: 'G',
  phoneNumber: '+33 1',
  salutation: 'Mr',
  jobTitle: 'CTO',
};
const PARTNER = { salesRepEmail: 's@p.test', salesRepFirstName: 'S', salesRepLastName: 'R' };
const LINE: OfferLine = { offerNameId: 'A', amount: '10', revenueType: 'RENTAL_Y' };

describe('unset and unknown', () => {
  test.each(FIELD_NAMES)('null, the empty string and the empty list are one unset %s', (field) => {
    for (const a of [null, '', []]) for (const b of [null, '', []]) expect(same(field, a, b)).toBe(true);
  });

  test.each(FIELD_NAMES)('an unknown %s equals an unknown one, and no unset one', (field) => {
    expect(same(field, undefined, undefined)).toBe(true);
    expect(same(field, null, undefined)).toBe(false);
    expect(same(field, undefined, null)).toBe(false);
  });

  test('a legal entity without any value is unset, and one with a value is not', () => {
    const nothing = Object.fromEntries(Object.keys(ENTITY).map((key) => [key, null]));
    expect(same('customerLegalEntity', nothing, null)).toBe(true);
    expect(same('customerLegalEntity', { ...nothing, name: 'Initech' }, null)).toBe(false);
    expect(same('customerLegalEntity', ENTITY, null)).toBe(false);
  });
});

describe('each part counts', () => {
  test.each([
    ...Object.keys(ENTITY).map((key) => ['customerLegalEntity', key, ENTITY, 'other'] as const),
    ...Object.keys(CONTACT).map((key) => ['customerContacts', key, CONTACT, 'other'] as const),
    ...Object.keys(PARTNER).map((key) => ['partnerContacts', key, PARTNER, 'other'] as const),
    ['offerLines', 'offerNameId', LINE, 'B'] as const,
    ['offerLines', 'amount', LINE, '11'] as const,
    ['offerLines', 'revenueType', LINE, 'RENTAL_Q'] as const,
  ])('%s: another %s, or none', (field, key, value, other) => {
    const shown = (one: unknown): unknown => (field === 'customerLegalEntity' ? one : [one]);
    expect(same(field, shown(value), shown({ ...value }))).toBe(true);
    expect(same(field, shown(value), shown({ ...value, [key]: other }))).toBe(false);
    expect(same(field, shown(value), shown({ ...value, [key]: null }))).toBe(false);
  });
});

describe('spelling', () => {
  test.each<[FieldName, unknown, unknown, boolean]>([
    ['dsOwnerEmail', 'PSM@vendor.test', 'psm@Vendor.test', true],
    ['dsOwnerEmail', 'weiß@vendor.test', 'weiss@vendor.test', false],
    ['name', 'Deal', 'deal', false],
    ['status', 'WON', 'OPPY_OPEN', false],
    ['closeDate', '2026-06-30', '2026-06-30T00:00:00.000Z', true],
    ['closeDate', '2026-07-01', '2026-06-30T22:30:00.000Z', true],
    ['closeDate', '2026-06-30', '2026-06-30T22:30:00.000Z', false],
    ['closeDate', '2026-06-30', null, false],
    ['competitors', ['A', 'B'], ['B', 'A', 'B'], true],
    ['competitors', ['A', 'B'], ['A'], false],
    ['customerContacts', [CONTACT], [{ ...CONTACT, email: 'P@I.test' }], true],
    ['customerContacts', [CONTACT], [{ ...CONTACT, firstName: 'p' }], false],
    ['partnerContacts', [PARTNER], [{ ...PARTNER, salesRepEmail: 'S@P.test' }], true],
    ['offerLines', [LINE, LINE], [LINE], false],
    ['offerLines', [LINE], [{ ...LINE, crmLineId: '1' }], true],
  ])('%s %j and %j: %s', (field, a, b, expected) => {
    expect(same(field, a, b)).toBe(expected);
    expect(same(field, b, a)).toBe(expected);
  });
});
