import { describe, expect, it } from 'vitest';
import { holdOfContact } from '../../../../src/domain/decide/holds.ts';
import { stillMissing, withoutContactsNotMade } from '../../../../src/domain/decide/import-gaps.ts';
import type { CustomerContact } from '../../../../src/domain/record/canonical.ts';
import type { CrmFields } from '../../../../src/domain/record/crm-graph.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { ACCOUNT, CONTACT, crmGraph, without } from '../../../support/mapping/fixtures.ts';
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
  ...holdOfContact(email),
});
const repeated = (email: string): Issue => ({
  ...ISSUES.vendorContactRepeated(),
  ...holdOfContact(email, 'contact-again'),
});
const link = (issues: readonly Issue[]) => ({ ...linkSample({ issues }), reference: null });

describe('an import', () => {
  const [a, b] = [contact('A@x.test'), contact('b@x.test')];
  it.each<[string, readonly CustomerContact[], readonly Issue[], readonly CustomerContact[], readonly Issue[]]>([
    ['has all contacts', [a, b], [], [a, b], []],
    ['goes without a refused contact', [a, b], [refused('a@x.test')], [b], [refused('a@x.test')]],
    ['has no issue about a contact that the vendor has removed', [b], [refused('a@x.test')], [b], []],
    ['is not kept from a contact that was there twice', [a, b], [repeated('a@x.test')], [a, b], []],
    [
      'has an issue about two with one address',
      [b, a, contact('a@X.test')],
      [],
      [b, a, contact('a@X.test')],
      [repeated('a@x.test')],
    ],
    ['has one issue about three with one address', [b, b, b], [], [b, b, b], [repeated('b@x.test')]],
    ['ignores blanks of an address', [b, contact(' b@x.test')], [], [b, contact(' b@x.test')], [repeated('b@x.test')]],
    ['has no issue about two without an address', [contact(''), contact('')], [], [contact(''), contact('')], []],
    ['has one issue about a refused one that is there twice', [a, a], [refused('a@x.test')], [], [refused('a@x.test')]],
  ])('%s', (_, customerContacts, issues, made, result) => {
    const given = { link: link(issues), sendsRefusedAgain: false };
    const record = { name: 'Deal', customerContacts: made };
    expect(withoutContactsNotMade({ name: 'Deal', customerContacts }, given)).toEqual({ record, issues: result });
  });
});

const [country, state] = [ISSUES.placeDoesNotFit('BillingCountry'), ISSUES.placeDoesNotFit('BillingState')];
const [taken, notOurs] = [ISSUES.vendorIdTaken(), ISSUES.vendorIdNotOurs()];
const people = [refused('a@x.test'), repeated('b@x.test')];

/** Each row: what the CRM shows, what the vendor shows, and which issues stay. */
it.each<[string, object, readonly string[] | undefined, readonly Issue[]]>([
  ['contacts that the CRM lacks', {}, ['A@x.test', 'b@x.test', 'B@x.test'], people],
  ['a contact of which the vendor has one more', { emails: ['b@x.test'] }, ['b@x.test', 'B@x.test'], people.slice(1)],
  ['no contact that a user has added', { emails: ['A@X.test', 'b@x.test'] }, ['a@x.test', 'b@x.test'], []],
  ['no contact that the vendor has removed', {}, ['c@x.test'], []],
  ['no contact while the vendor shows none', {}, undefined, []],
  ['a state that is empty', { account: { ...ACCOUNT, BillingState: null } }, [], [state]],
  ['a country that is not shown', { account: without(ACCOUNT, 'BillingCountry') }, [], [country]],
  ['no place of a deal without an account', { account: null }, [], []],
  ['a vendor id that the opportunity does not show', { vendorId: 'DS-9' }, [], [taken, notOurs]],
])('an issue stays about %s', (_, shows, atVendor, expected) => {
  const {
    emails = [],
    account = ACCOUNT,
    vendorId = 'DS-1',
  } = shows as {
    readonly emails?: readonly string[];
    readonly account?: CrmFields | null;
    readonly vendorId?: string;
  };
  const graph = crmGraph(
    { Vendor_Id__c: vendorId },
    { account, contacts: emails.map((Email) => ({ ...CONTACT, Email })) },
  );
  const issues = [...people, country, state, taken, notOurs, ISSUES.crmRefused('X', []), ISSUES.conflict('name')];
  expect(stillMissing(link(issues), graph, atVendor?.map(contact))).toEqual(expected);
});
