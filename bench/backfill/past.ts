import { simulatorAdmin } from 'lockstep-simulators/testing';
import { OFFERS } from '../../test/support/engine/fields.ts';
import type { Stack } from '../../test/support/stack/stack.ts';

type Row = { readonly id: string; readonly fields: Readonly<Record<string, unknown>> };

/** The number of deals of each kind, computed from the number of opportunities. */
export function kindsOf(records: number) {
  const part = (of10k: number): number => Math.max(1, Math.round((of10k * records) / 10_000));
  const kinds = {
    keys: part(2_000),
    reference: part(400),
    /** Deals with one opportunity and two vendor records. */
    wanted: part(50),
    /** Deals with two opportunities and one vendor record. */
    twins: part(50),
    vendorOnly: part(500),
  };
  const crmOnly = records - kinds.keys - kinds.reference - kinds.wanted - 2 * kinds.twins;
  return { ...kinds, crmOnly };
}

const YEAR_MS = 365 * 86_400_000;
const AT_ONCE = 20;

/**
 * Creates years of deals in both simulators, dated a year ago by their clocks, so that their change signals are over. Returns the instant
 * before the first, ISO.
 */
export async function makePast(stack: Stack, records: number): Promise<string> {
  const before = await inThePast(stack, () => enter(stack, records));
  return new Date(Date.parse(before) - 1_000).toISOString();
}

/** Runs `work` with both simulators' clocks set a year back. Returns the instant, ISO. */
export async function inThePast(
  remotes: Pick<Stack, 'vendor' | 'salesforce'>,
  work: () => Promise<unknown>,
): Promise<string> {
  const [vendor, crm] = [remotes.vendor.adminUrl, remotes.salesforce.adminUrl];
  const before = new Date(Date.now() - YEAR_MS).toISOString();
  await Promise.all([setClock(vendor, before), setClock(crm, before)]);
  await work();
  const now = new Date().toISOString();
  await Promise.all([setClock(vendor, now), setClock(crm, now)]);
  return before;
}

async function setClock(adminUrl: string, now: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${adminUrl}/clock`, { method: 'PUT', headers, body: JSON.stringify({ now }) });
  if (!answer.ok) throw new Error(`the clock of ${adminUrl} cannot be set: ${answer.status}`);
}

async function enter(stack: Stack, records: number): Promise<void> {
  const { opportunity, lead } = await entersDeals(stack);
  const elsewhere = { customerLegalEntity: { name: 'Elsewhere', country: 'DE', dunsNumber: '555555555' } };
  const kinds = kindsOf(records);
  const both = (name: string) => Promise.all([opportunity(name), lead(name)]);
  await each(kinds.keys, (n) => both(`Keyed ${n}`));
  await each(kinds.reference, async (n) =>
    lead(`Renamed ${n}`, { partnerLeadOpportunityId: await opportunity(`Named ${n}`) }),
  );
  await each(kinds.wanted, (n) => Promise.all([both(`Wanted ${n}`), lead(`Wanted ${n}`)]));
  await each(kinds.twins, (n) => Promise.all([both(`Twin ${n}`), opportunity(`Twin ${n}`)]));
  await each(kinds.vendorOnly, (n) => lead(`Only at the vendor ${n}`, elsewhere));
  await each(kinds.crmOnly, (n) => opportunity(`Only in the CRM ${n}`));
}

/** Functions that enter a deal on either side; all deals have one customer and one offer line. */
export async function entersDeals(remotes: Pick<Stack, 'vendor' | 'salesforce'>) {
  const vendor = simulatorAdmin(remotes.vendor.adminUrl);
  const crm = simulatorAdmin(remotes.salesforce.adminUrl);
  const { id: account } = await crm.create('Account', {
    Name: 'Initech',
    BillingCity: 'Bonn',
    BillingCountry: 'DE',
    Vendor_DUNS__c: '123456789',
  });
  const entry = await entryOf(crm);
  const opportunity = async (name: string): Promise<string> => {
    const { id } = await crm.create('Opportunity', {
      Name: name,
      AccountId: account,
      StageName: 'Value Proposition',
      CloseDate: '2027-05-31',
      Vendor_Share__c: true,
    });
    await crm.create('OpportunityLineItem', {
      OpportunityId: id,
      PricebookEntryId: entry,
      Quantity: 1,
      TotalPrice: 500,
    });
    return id;
  };
  const lead = (name: string, fields: object = {}) =>
    vendor.create('leadOpportunity', {
      name,
      closeDate: '2027-05-31T00:00:00.000Z',
      offerLines: [{ offerNameId: OFFERS[0], amount: 500 }],
      customerLegalEntity: { name: 'Initech', country: 'DE', dunsNumber: '123456789' },
      ...fields,
    });
  return { opportunity, lead };
}

/** Calls `make` for each number below `count`, several at a time. */
export async function each(count: number, make: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, place) => make(n + place)));
}

async function entryOf(crm: ReturnType<typeof simulatorAdmin>): Promise<unknown> {
  const find = async (type: string, isIt: (fields: Row['fields']) => boolean): Promise<unknown> =>
    (await crm.records<Row>(type)).find(({ fields }) => isIt(fields))?.id;
  const product = await find('Product2', (fields) => fields['Vendor_Offer_Id__c'] === OFFERS[0]);
  const book = await find('Pricebook2', (fields) => fields['IsStandard'] === true);
  return find('PricebookEntry', (one) => one['Product2Id'] === product && one['Pricebook2Id'] === book);
}
