import { expect, test } from 'vitest';
import { holdOfContact } from '../../../../src/domain/decide/holds.ts';
import { type Base, EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { decideOn, REFERENCE, usualRecord, vendorReading } from '../../../support/value-engine/samples.ts';

const usual = usualRecord();

test('a vendor-created record is agreed on with the contacts that the vendor shows, if it shows any', () => {
  const contacts = usual.customerContacts ?? [];
  const made = (record: Observed, issues: readonly Issue[] = []) =>
    decideOn({
      crm: 'unlinked',
      vendor: vendorReading(record, { reference: null }),
      link: { base: null, issues },
    });
  const hold = holdOfContact(contacts[0]?.email);
  const without = made(usual, [{ ...ISSUES.contactRefusedByCrm('INVALID_EMAIL_ADDRESS', []), ...hold }]);
  expect(without.create?.contacts).toHaveLength(contacts.length - 1);
  expect(without.baseAfter?.vendor.customerContacts).toEqual(contacts);
  const { customerContacts: _, ...unseen } = usual;
  expect(made(unseen).baseAfter?.vendor).not.toHaveProperty('customerContacts');
});

test('a vendor record that a person has separated from an opportunity is neither made nor linked by itself', () => {
  const ambiguity = { kind: 'separated', from: [REFERENCE] } as const;
  const decided = (reference: string | null, importFromVendor: boolean) => {
    const vendor = vendorReading(usual, { reference });
    return decideOn({ crm: 'unlinked', vendor, link: { base: null }, ambiguity, importFromVendor });
  };
  expect(decided(null, true)).toMatchObject({
    next: 'parked',
    issues: [ISSUES.separated('the deal DS-1 of the vendor', [REFERENCE])],
  });
  expect(decided(REFERENCE, false).next).toBe('detached');
});

test('an import that may have made its record already says so to the client', () => {
  const vendor = vendorReading(usual, { reference: null });
  const repeated = (base: Base | null) => decideOn({ crm: 'unlinked', vendor, link: { base } }).create?.isRepeated;
  expect(repeated({ ...EMPTY_BASE, inDoubtCrmWrites: { basedOnVersion: null, sent: [] } })).toBe(true);
  expect(repeated(null)).toBeUndefined();
});
