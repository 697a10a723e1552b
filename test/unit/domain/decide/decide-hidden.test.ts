import { expect, test } from 'vitest';
import { CONTACT, LINES, without } from '../../../support/mapping/fixtures.ts';
import { decideOn, type Given, usualRecord, vendorReading } from '../../../support/value-engine/samples.ts';

/** A value that the integration user cannot read is unknown: it does not count as removed, and users are notified. */

const vendor = vendorReading({ ...usualRecord(), description: 'edited' });

test.each<[string, string, string, Given['graph']]>([
  ['a contact', 'customerContacts', 'a contact of the deal', { contacts: [CONTACT, { Id: '003000000000009AAA' }] }],
  ['the only contact', 'customerContacts', 'a contact of the deal', { contacts: [{ Id: '003000000000009AAA' }] }],
  ['the account', 'customerLegalEntity', 'the account', { account: null }],
  [
    'a product',
    'offerLines',
    'a line of the deal or its product',
    { lines: LINES.map((row, at) => (at === 0 ? without(row, 'Product2.Vendor_Offer_Id__c') : row)) },
  ],
])('%s that cannot be read leaves the vendor’s as they are', (_, field, what, graph = {}) => {
  const unread = decideOn({ graph, vendor });
  expect(unread).toMatchObject({ next: 'write-crm', stateAfter: 'in-sync' });
  expect(unread.issues.map((issue) => [issue.code, issue.field])).toEqual([['not-readable', field]]);
  expect(unread.issues[0]?.message).toContain(`cannot read ${what},`);
  const first = decideOn({ graph, vendor, link: { base: null } });
  expect(first.intent?.fields ?? []).not.toContain(field);
});
