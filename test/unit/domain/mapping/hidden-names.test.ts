import { expect, test } from 'vitest';
import { observeCrm } from '../../../../src/domain/mapping/index.ts';
import type { CrmGraph } from '../../../../src/domain/record/crm-graph.ts';
import {
  ACCOUNT,
  CONTACT,
  crmGraph,
  LINES,
  mappingConfig,
  OPPORTUNITY,
  OWNER,
  without,
} from '../../../support/mapping/fixtures.ts';

const across = mappingConfig({ fields: { gtmTacticId: { crm: 'Region__r.Code__c' } } });

/** What the integration user may not see of a deal, and the issues: code, field, and a part of the message. */
test.each<[string, Partial<CrmGraph>, readonly (readonly [string, string, RegExp])[]]>([
  ['nothing', {}, []],
  [
    'a field of the opportunity',
    { opportunity: without(OPPORTUNITY, 'Vendor_Next_Milestone__c') },
    [
      [
        'field-hidden',
        'nextMilestone',
        /"Vendor: next milestone", so changes of the next milestone wait: .* Lockstep_Integration to/,
      ],
    ],
  ],
  ['the currency, which an org of one currency lacks', { opportunity: without(OPPORTUNITY, 'CurrencyIsoCode') }, []],
  [
    'a field of the account',
    { account: without(ACCOUNT, 'Website') },
    [['field-hidden', 'customerLegalEntity', /"Website" of the account/]],
  ],
  ['the site id', { account: without(ACCOUNT, 'Vendor_Site_Id__c') }, [['field-hidden', 'customerSiteId', /Vendor/]]],
  [
    'a field of the contacts',
    { contacts: [without(CONTACT, 'Phone')] },
    [['field-hidden', 'customerContacts', /"Phone" of the contact/]],
  ],
  ['a contact', { contacts: [{ Id: '003' }] }, [['not-readable', 'customerContacts', /a contact/]]],
  [
    'a field of the owner',
    { owner: without(OWNER, 'Email') },
    [['field-hidden', 'partnerContacts', /"Email" of the owner/]],
  ],
  [
    'a field of the lines',
    { lines: LINES.map((row) => without(row, 'Vendor_Revenue_Type__c')) },
    [['field-hidden', 'offerLines', /of the product line/]],
  ],
  ['an account', { account: null }, [['not-readable', 'customerLegalEntity', /the account/]]],
])('%s', (_, parts, expected) => {
  const { issues, record } = observeCrm({ ...crmGraph(), ...parts }, mappingConfig());
  expect(issues.map(({ code, field }) => [code, field])).toEqual(expected.map(([code, field]) => [code, field]));
  for (const [place, [, field, words]] of expected.entries()) {
    expect(issues[place]?.message).toMatch(words);
    expect(record).not.toHaveProperty(field);
  }
});

test('a field across a lookup is hidden, unless the record that it refers to is', () => {
  const of = (cells: object) =>
    observeCrm(crmGraph({ Region__c: 'a01', ...cells }), across).issues.map(({ code, message }) => [code, message]);
  expect(of({ 'Region__r.Code__c': 'EMEA' })).toEqual([]);
  expect(of({ Region__r: null })).toEqual([]);
  expect(of({ Region__c: null, 'Region__r.Code__c': null })).toEqual([]);
  expect(of({})).toEqual([['field-hidden', expect.stringMatching(/permission set of the org show it/)]]);
});
