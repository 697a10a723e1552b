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

  test('one that a vendor user added stays when a CRM user edits another', () => {
    const vendor = theirs({ customerContacts: [eva, peter] });
    const { intent } = decideOn({ vendor, ...edited });
    expect(intent?.record.customerContacts).toEqual([{ ...peter, jobTitle: 'Director' }, eva]);
  });

  test('what a vendor user filled in of a contact that both have stays', () => {
    const vendor = theirs({ customerContacts: [{ ...peter, salutation: 'Dr.' }] });
    const { intent } = decideOn({ vendor, ...edited });
    expect(intent?.record.customerContacts).toEqual([{ ...peter, salutation: 'Dr.', jobTitle: 'Director' }]);
  });

  test('two of one address at the vendor stay two', () => {
    const twin = { ...peter, firstName: 'Petra' };
    const vendor = theirs({ customerContacts: [peter, twin] });
    expect(decideOn({ vendor, ...edited }).intent?.record.customerContacts).toHaveLength(2);
  });

  test('one that the CRM had and removed goes', () => {
    const both = { ...usual, customerContacts: [peter, eva] };
    const link = baseWith({ crm: { ...usual, customerContacts: [peter, eva] }, vendor: both });
    expect(decideOn({ link, vendor: theirs(both) }).intent?.record.customerContacts).toEqual([peter]);
  });

  test('a phone number that the CRM had and removed goes', () => {
    const graph = { contacts: [{ ...CONTACT, Phone: null }] };
    const { intent } = decideOn({ vendor: theirs({}), graph });
    expect(intent?.body['customerContacts']).toMatchObject([{ phoneNumber: '' }]);
  });

  test('of two deals that meet for the first time, the vendor’s stay beside the CRM’s', () => {
    const { intent } = decideOn({ link: { base: null }, vendor: theirs({ customerContacts: [eva] }) });
    expect(intent?.record.customerContacts).toEqual([peter, eva]);
  });

  test('the vendor’s partner contacts stay when the CRM’s owner changes', () => {
    const other = { salesRepEmail: 'b@partner.test', salesRepFirstName: 'B', salesRepLastName: 'C' };
    const vendor = theirs({ partnerContacts: [...(usual.partnerContacts ?? []), other] });
    const graph = { owner: { Email: 'new@partner.test', FirstName: 'New', LastName: 'Owner' } };
    const emails = decideOn({ vendor, graph }).intent?.record.partnerContacts?.map(
      (row) => row.salesRepEmail,
    );
    expect(emails).toEqual(['new@partner.test', 'b@partner.test']);
  });
});

describe('the company', () => {
  const filled = { ...company, vatNumber: 'FR1', registrationId: 'R1' };
  const vendor = theirs({ customerLegalEntity: filled, customerSiteId: 'S1' });
  const edited = { ...ACCOUNT, BillingCity: 'Paris' };

  test('ids that the vendor filled in stay when the city changes in the CRM', () => {
    const { intent } = decideOn({ vendor, graph: { account: edited } });
    expect(intent?.body['customerLegalEntity']).toMatchObject({
      id: 'S1',
      city: 'Paris',
      vatNumber: 'FR1',
      registrationId: 'R1',
    });
  });

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

  test('an id that the CRM had and removed goes', () => {
    const account = { ...ACCOUNT, Vendor_DUNS__c: null };
    const { intent } = decideOn({ vendor: theirs({}), graph: { account } });
    expect(intent?.body['customerLegalEntity']).toMatchObject({ dunsNumber: null });
  });

  test('a key that neither side has is not sent: somebody may have filled it since', () => {
    const { intent } = decideOn({ vendor: theirs({}), graph: { account: edited } });
    expect(Object.keys(intent?.body['customerLegalEntity'] as object)).not.toContain('vatNumber');
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
    decideOn({ link: agreedWith(siteId), vendor, ...moved, graph: { account: account as typeof other } })
      .intent?.body['customerLegalEntity'];

  test('sends the other company whole, and no key of the former one', () => {
    expect(sent()).toMatchObject({
      id: null,
      name: 'Globex',
      addressLine1: 'Harbour Road 7',
      dunsNumber: null,
      vatNumber: null,
      registrationId: null,
    });
  });

  test('both sides agree on the other account once it was sent', () => {
    const { baseAfter } = decideOn({ link: agreedWith('S1'), vendor, ...moved });
    expect(baseAfter?.crm.customerLegalEntity?.crmAccountId).toBe(other.Id);
  });

  test('sends the site id of the other account', () => {
    expect(sent({ ...other, Vendor_Site_Id__c: 'S2' })).toMatchObject({ id: 'S2', name: 'Globex' });
    expect(sent({ ...other, Vendor_Site_Id__c: 'S1' })).toMatchObject({ id: 'S1', name: 'Globex' });
  });

  test('unlinks the site where no account ever had it in the CRM', () => {
    expect(sent(other, null)).toMatchObject({ id: null, name: 'Globex' });
  });

  test('fills nothing of the former company into the other account', () => {
    const plan = decideOn({ link: agreedWith(null), vendor, ...moved });
    expect(JSON.stringify(plan)).not.toContain('Vendor_Site_Id__c');
  });

  test('sends nothing of the company while the integration user may not see the other account', () => {
    const hidden = without({ ...other, Vendor_Site_Id__c: 'S2' }, 'BillingCity');
    expect(sent(hidden)).toBeUndefined();
  });

  test('an account that keeps its id keeps what the vendor entered, whatever changes in it', () => {
    const renamed = { ...ACCOUNT, Name: 'Initech Europe' };
    const { intent } = decideOn({ link: agreedWith('S1'), vendor, graph: { account: renamed } });
    expect(intent?.body['customerLegalEntity']).toMatchObject({ id: 'S1', vatNumber: 'FR1' });
  });
});
