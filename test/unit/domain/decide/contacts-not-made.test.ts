import { describe, expect, it, test } from 'vitest';
import {
  contactsStillNotMade,
  fingerprintOfContact,
  withoutContactsNotMade,
} from '../../../../src/domain/decide/import-gaps.ts';
import { observeCrm } from '../../../../src/domain/mapping/index.ts';
import type { CustomerContact } from '../../../../src/domain/record/canonical.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { CONTACT, crmGraph, mappingConfig } from '../../../support/mapping/fixtures.ts';
import { linkSample } from '../../../support/value-engine/samples.ts';

const contact = (email: string): CustomerContact => ({
  email,
  firstName: 'Erika',
  lastName: 'Muster',
  phoneNumber: null,
  salutation: null,
  jobTitle: null,
});
const refused = (email: string): Issue => ({
  ...ISSUES.contactRefusedByCrm('INVALID_EMAIL_ADDRESS', []),
  fingerprint: fingerprintOfContact(email),
});
const repeated = (email: string): Issue => ({
  ...ISSUES.vendorContactRepeated(),
  fingerprint: fingerprintOfContact(email),
});
/** Neither is about a single contact. */
const OTHERS = [ISSUES.crmRefused('X', []), { ...repeated('a@x.test'), code: 'conflict' as const }];
const input = (issues: readonly Issue[], sendsRefusedAgain = false) => ({
  link: { ...linkSample({ issues }), reference: null },
  sendsRefusedAgain,
});

test('a contact is recognised by its address, whatever its letter case and the blanks around it', () => {
  expect(fingerprintOfContact(' A@X.test ')).toBe(fingerprintOfContact('a@x.test'));
  expect(fingerprintOfContact('b@x.test')).not.toBe(fingerprintOfContact('a@x.test'));
});

describe('an import', () => {
  const [a, b] = [contact('A@x.test'), contact('b@x.test')];
  it.each<[string, readonly CustomerContact[], readonly Issue[], readonly CustomerContact[], readonly Issue[]]>([
    ['has all contacts', [a, b], [], [a, b], []],
    ['goes without one that was refused', [a, b], [refused('a@x.test')], [b], [refused('a@x.test')]],
    ['is told nothing of one that the vendor has no more', [b], [refused('a@x.test')], [b], []],
    ['is not kept from a contact by what was refused otherwise', [a, b], OTHERS, [a, b], []],
    [
      'tells of two with one address',
      [b, a, contact('a@X.test')],
      [],
      [b, a, contact('a@X.test')],
      [repeated('a@x.test')],
    ],
    ['tells of three with one address once', [b, b, b], [], [b, b, b], [repeated('b@x.test')]],
    ['tells nothing of two without an address', [contact(''), contact('')], [], [contact(''), contact('')], []],
    ['tells one thing of a refused one that is there twice', [a, a], [refused('a@x.test')], [], [refused('a@x.test')]],
  ])('%s', (_, customerContacts, issues, made, result) => {
    const given = withoutContactsNotMade({ name: 'Deal', customerContacts }, input(issues));
    expect(given).toEqual({ record: { name: 'Deal', customerContacts: made }, issues: result });
  });
});

describe('a contact that was not made', () => {
  const crm = (...emails: readonly string[]) =>
    observeCrm(crmGraph({}, { contacts: emails.map((Email) => ({ ...CONTACT, Email })) }), mappingConfig());
  const result = [refused('a@x.test'), repeated('b@x.test'), ...OTHERS];
  it.each<[string, readonly string[], readonly string[] | undefined, readonly Issue[]]>([
    ['is told while the CRM has none of it', [], ['A@x.test', 'b@x.test'], result.slice(0, 2)],
    ['is told while the vendor has one more', ['b@x.test'], ['b@x.test', 'B@x.test'], result.slice(1, 2)],
    ['is told no more once somebody has added it', ['A@X.test', 'b@x.test'], ['a@x.test', 'b@x.test'], []],
    ['is told no more once the vendor has it no more', [], ['c@x.test'], []],
    ['is not known while the vendor shows no contacts', [], undefined, []],
  ])('%s', (_, inCrm, atVendor, expected) => {
    expect(contactsStillNotMade(input(result), crm(...inCrm), atVendor?.map(contact))).toEqual(expected);
  });
});
