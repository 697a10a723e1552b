import { describe, expect, test } from 'vitest';
import type { CustomerContact, Observed } from '../../../../src/domain/record/canonical.ts';
import { ACCOUNT, CONTACT, without } from '../../../support/mapping/fixtures.ts';
import { baseWith, decideOn, theirs, usualRecord } from '../../../support/value-engine/samples.ts';

/** What the vendor's people entered about the customer stays; only what the CRM once had and removed is removed. */

const usual = usualRecord();
const company = usual.customerLegalEntity as NonNullable<Observed['customerLegalEntity']>;
const peter = usual.customerContacts?.[0] as CustomerContact;
const eva: CustomerContact = {
  email: 'eva@initech.test',
  firstName: 'Eva',
  lastName: 'Muster',
  phoneNumber: null,
  salutation: null,
  jobTitle: null,
};

describe('contacts', () => {
  const edited = { graph: { contacts: [{ ...CONTACT, Title: 'Director' }] } };

  test('two of one address at the vendor stay two', () => {
    const twin = { ...peter, firstName: 'Petra' };
    const vendor = theirs({ customerContacts: [peter, twin] });
    expect(decideOn({ vendor, ...edited }).intent?.record.customerContacts).toHaveLength(2);
  });

  test('of two deals that meet for the first time, the vendor’s stay beside the CRM’s', () => {
    const { intent } = decideOn({ link: { base: null }, vendor: theirs({ customerContacts: [eva] }) });
    expect(intent?.record.customerContacts).toEqual([peter, eva]);
  });
});

describe('the company', () => {
  const filled = { ...company, vatNumber: 'FR1', registrationId: 'R1' };
  const vendor = theirs({ customerLegalEntity: filled, customerSiteId: 'S1' });
  const edited = { ...ACCOUNT, BillingCity: 'Paris' };

  test('a zip code that a vendor user corrected stays when the city changes in the CRM', () => {
    const corrected = theirs({ customerLegalEntity: { ...company, zipCode: '69002' } });
    const { intent } = decideOn({ vendor: corrected, graph: { account: edited } });
    expect(intent?.record.customerLegalEntity).toMatchObject({ city: 'Paris', zipCode: '69002' });
  });

  test('of two deals that meet for the first time, nothing is sent where the vendor only knows more', () => {
    const plan = decideOn({ link: { base: null }, vendor });
    expect(plan.intent?.fields ?? []).not.toContain('customerLegalEntity');
    expect(plan.next).toBe('write-crm');
  });
});

describe('a deal that was moved to another account', () => {
  const held = { ...company, vatNumber: 'FR1', registrationId: 'R1' };
  const vendor = theirs({ customerLegalEntity: held, customerSiteId: 'S1' });
  const other = {
    ...ACCOUNT,
    Id: '001000000000002AAA',
    Name: 'Globex',
    BillingStreet: 'Harbour Road 7',
    Vendor_DUNS__c: null,
  };
  const moved = { opportunity: { AccountId: other.Id }, graph: { account: other } };
  const agreedWith = (siteId: string | null) =>
    baseWith({
      crm: { ...usual, customerSiteId: siteId },
      vendor: { ...usual, customerLegalEntity: held, customerSiteId: 'S1' },
    });
  const sent = (account: object = other, siteId: string | null = 'S1') =>
    decideOn({ link: agreedWith(siteId), vendor, ...moved, graph: { account: account as typeof other } }).intent?.body[
      'customerLegalEntity'
    ];

  test('sends the site id of the other account', () => {
    expect(sent({ ...other, Vendor_Site_Id__c: 'S2' })).toMatchObject({ id: 'S2', name: 'Globex' });
    expect(sent({ ...other, Vendor_Site_Id__c: 'S1' })).toMatchObject({ id: 'S1', name: 'Globex' });
  });

  test('sends nothing of the company while the integration user may not see the other account', () => {
    const hidden = without({ ...other, Vendor_Site_Id__c: 'S2' }, 'BillingCity');
    expect(sent(hidden)).toBeUndefined();
  });
});
