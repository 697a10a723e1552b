import { describe, expect, test } from 'vitest';
import { crmCreate, lensOf, sameValue, unsetOf } from '../../../../src/domain/mapping/index.ts';
import type { CustomerContact, FieldName, PartnerContact } from '../../../../src/domain/record/canonical.ts';
import { FIELD_NAMES } from '../../../../src/domain/record/fields.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { usualRecord, vendorReading } from '../../../support/value-engine/samples.ts';

/** What holds for the lens of every field, or of every kind of rows. */

const config = mappingConfig();
const record = { ...usualRecord(), status: 'OPPY_OPEN' };

const LISTS = ['reasonWon', 'reasonLost', 'competitors', 'offerLines', 'customerContacts', 'partnerContacts'];
/** What is sent whole or with a whole, or decides what amounts mean, and so is never written over what nobody has read. */
const WHOLE = [...LISTS, 'customerLegalEntity', 'customerSiteId', 'currency'];

describe.each(FIELD_NAMES)('%s', (field) => {
  const lens = lensOf(field);

  test('is written unread only where it is one value', () => {
    expect(lens.scalar).toBe(!WHOLE.includes(field));
  });

  test.each(['create', 'update'] as const)('unset, is no value of a %s', (use) => {
    const target = { field, config, use, changes: {}, target: record, present: {} };
    expect(lens.toVendor(unsetOf(field), target)).toMatchObject({ kind: 'unset' });
  });

  test('unset, gives a deal that is made in the CRM nothing', () => {
    const part = lens.toNewCrm(unsetOf(field), { field, config, record });
    const given = Object.values(part).flatMap((one) => Object.keys(one ?? {}));
    expect(given).toEqual([]);
  });
});

const contact = (email: string, change: Partial<CustomerContact> = {}): CustomerContact => ({
  email,
  firstName: 'Erika',
  lastName: 'Muster',
  phoneNumber: null,
  salutation: null,
  jobTitle: null,
  ...change,
});
const seller = (salesRepEmail: string): PartnerContact => ({
  salesRepEmail,
  salesRepFirstName: 'Sam',
  salesRepLastName: 'Seller',
});
const line = (offerNameId: string) => ({ offerNameId, amount: '1', revenueType: null });

describe('rows', () => {
  test.each<[FieldName, readonly unknown[]]>([
    ['customerContacts', [contact('a@x.test'), contact('b@x.test')]],
    ['partnerContacts', [seller('a@x.test'), seller('b@x.test')]],
    ['offerLines', [line('A'), line('B')]],
  ])('of %s say the same in another order', (field, rows) => {
    expect(sameValue(field, rows, rows.toReversed(), config)).toBe(true);
  });

  test.each<[FieldName, (email: string) => unknown]>([
    ['customerContacts', contact],
    ['partnerContacts', seller],
  ])('of %s are one person where their addresses differ in letter case alone', (field, row) => {
    const shown = (vendor: string) =>
      lensOf(field).forVendor?.([row('Weiß@x.test')], { agreed: [], vendor: [row(vendor)] });
    expect(shown('weiß@X.test')).toHaveLength(1);
    expect(shown('weiss@x.test')).toHaveLength(2);
    expect(shown('other@x.test')).toHaveLength(2);
  });
});

test('a contact that lacks what a contact needs is not made in the CRM', () => {
  const customerContacts = [contact('a@x.test', { lastName: '' }), contact('b@x.test')];
  const { create } = crmCreate(vendorReading({ ...record, customerContacts }), config);
  expect(create.contacts.map((row) => row['Email'])).toEqual(['b@x.test']);
});
