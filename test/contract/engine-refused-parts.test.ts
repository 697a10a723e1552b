/** A line that a side refuses or cannot hold waits alone. The real engine on ledger and simulators. */

import { elements } from 'lockstep-simulators/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

/** An org whose rules take no line of more than 1,000 and no contact without a title, and whose revenue type is one. */
const openWorld = withWorlds(workflows, {
  'objects/OpportunityLineItem/validationRules/Small.validationRule-meta.xml': [
    'ValidationRule',
    elements({
      fullName: 'Small',
      active: true,
      errorConditionFormula: 'TotalPrice > 1000',
      errorDisplayField: 'TotalPrice',
      errorMessage: 'Too much for one line.',
    }),
  ],
  'objects/OpportunityLineItem/fields/Vendor_Revenue_Type__c.field-meta.xml': [
    'CustomField',
    `${elements({ fullName: 'Vendor_Revenue_Type__c', type: 'Picklist' })}<valueSet><restricted>true</restricted><valueSetDefinition><value>${elements({ fullName: 'UPFRONT', default: false, label: 'UPFRONT' })}</value></valueSetDefinition></valueSet>`,
  ],
  'objects/Contact/validationRules/Titled.validationRule-meta.xml': [
    'ValidationRule',
    elements({
      fullName: 'Titled',
      active: true,
      errorConditionFormula: "Title = 'none'",
      errorDisplayField: 'Title',
      errorMessage: 'Give a title.',
    }),
  ],
});

let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

async function pair(): Promise<string> {
  const crmId = await deals.shared();
  expect(await settle(world)).toEqual([]);
  return crmId;
}

/** Of the seed. */
const OFFERS = ['OFR-DES-001', 'OFR-DES-002', 'OFR-SIM-001'];

const line = (n: number, amount: number, more: Raw = {}): Raw => ({
  offerNameId: OFFERS[n],
  amount,
  ...more,
});

async function editAtVendor(crmId: string, fields: Raw): Promise<void> {
  await deals.editAtVendor(crmId, fields);
  await deals.poll();
}

async function amounts(crmId: string): Promise<readonly unknown[]> {
  const rows = await world.crm.list('OpportunityLineItem');
  return rows
    .filter((row) => row['OpportunityId'] === crmId && row['IsDeleted'] !== true)
    .map((row) => row['TotalPrice'])
    .sort();
}

async function issues(crmId: string): Promise<readonly string[]> {
  return (await deals.link(crmId)).issues.map(({ code, field }) => `${code} ${field}`);
}

it('a new line that is refused waits; the other lines and fields are written', async () => {
  const crmId = await pair();
  await editAtVendor(crmId, {
    offerLines: [line(0, 500), line(1, 5_000), line(2, 50)],
    description: 'theirs',
  });
  expect(await amounts(crmId)).toEqual([50, 500]);
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Description: 'theirs' });
  expect(await issues(crmId)).toEqual(['crm-refused offerLines']);
  await world.crm.edit(crmId, { Vendor_Next_Milestone__c: 'ours' });
  await deals.sweep();
  const lead = await deals.leadNamed(crmId);
  expect(lead).toMatchObject({ nextMilestone: 'ours' });
  expect(lead?.['offerLines']).toHaveLength(3);
  await editAtVendor(crmId, { offerLines: [line(0, 500), line(1, 900), line(2, 50)] });
  expect(await amounts(crmId)).toEqual([50, 500, 900]);
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
});

it('a line that was there keeps its refused change waiting, and no field waits with it', async () => {
  const crmId = await pair();
  await editAtVendor(crmId, { offerLines: [line(0, 5_000)], description: 'theirs' });
  expect(await amounts(crmId)).toEqual([500]);
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Description: 'theirs' });
  expect(await issues(crmId)).toEqual(['crm-refused offerLines']);
  await editAtVendor(crmId, { offerLines: [line(0, 700)] });
  expect(await amounts(crmId)).toEqual([700]);
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
});

it('a vendor-created deal is made without a line that is refused, and one that does not fit', async () => {
  await deals.lead({
    name: 'Theirs',
    offerLines: [line(0, 500), line(1, 5_000), line(2, 50, { revenueType: 'SUPPORT_SERVICES' })],
  });
  await deals.poll();
  const made = (await deals.opportunities()).find((row) => row['Name'] === 'Theirs');
  const crmId = String(made?.['Id']);
  expect(await amounts(crmId)).toEqual([500]);
  expect([...(await issues(crmId))].sort()).toEqual(['crm-refused offerLines', 'does-not-fit offerLines']);
  const lead = (await deals.leads()).find((row) => row['name'] === 'Theirs');
  expect(lead?.['offerLines']).toHaveLength(3);
  await world.vendor.edit(String(lead?.['id']), {
    offerLines: [line(0, 500), line(1, 900), line(2, 50, { revenueType: 'UPFRONT' })],
  });
  await deals.poll();
  expect(await amounts(crmId)).toEqual([50, 500, 900]);
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
});

describe('a line that the vendor refuses by its offer', () => {
  const refusal = {
    status: 400,
    errorCode: 'ERR_OFFER',
    message: `offerLines: ${OFFERS[1]} is not sold any more`,
  };
  const amountsAtVendor = async (crmId: string): Promise<readonly unknown[]> =>
    (((await deals.leadNamed(crmId))?.['offerLines'] ?? []) as readonly Raw[]).map((row) => row['amount']);

  it('waits, and the deal is created without it; by a person’s word it goes', async () => {
    await world.vendor.fault({ operation: 'createLeadOpportunity', ...refusal, times: 1 });
    const crmId = await deals.shared();
    await deals.line(crmId, 50, 1);
    await deals.sweep();
    expect(await amountsAtVendor(crmId)).toEqual([500]);
    expect(await deals.link(crmId)).toMatchObject({ state: 'parked' });
    expect(await issues(crmId)).toEqual(['vendor-refused offerLines']);
    await world.requestSync({ crmId });
    await deals.time(20_000);
    expect(await amountsAtVendor(crmId)).toEqual([500, 50]);
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await settle(world)).toEqual([]);
  });

  it('waits, and the other lines and fields of an update go', async () => {
    const crmId = await pair();
    await world.vendor.fault({ operation: 'updateLeadOpportunity', ...refusal, times: 1 });
    await deals.line(crmId, 50, 1);
    await deals.line(crmId, 70);
    await world.crm.edit(crmId, { Description: 'ours' });
    await deals.sweep();
    expect(await amountsAtVendor(crmId)).toEqual([500, 70]);
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
    expect(await issues(crmId)).toEqual(['vendor-refused offerLines']);
    expect(await settle(world)).toEqual([]);
    expect(await amountsAtVendor(crmId)).toEqual([500, 70, 50]);
  });

  it('of which nobody knows which it is, all wait, and the fields go', async () => {
    const crmId = await pair();
    const message = 'offerLines cannot be like this';
    await world.vendor.fault({ operation: 'updateLeadOpportunity', ...refusal, message, times: 1 });
    await deals.line(crmId, 50, 1);
    await world.crm.edit(crmId, { Description: 'ours' });
    await deals.sweep();
    expect(await amountsAtVendor(crmId)).toEqual([500]);
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
    expect(await issues(crmId)).toEqual(['vendor-refused offerLines']);
    expect(await settle(world)).toEqual([]);
    expect(await amountsAtVendor(crmId)).toEqual([500, 50]);
  });
});

/** A contact that cannot be created or distinguished does not block its deal. The real engine on ledger and simulators. */
const person = (name: string, more: Raw = {}): Raw => ({
  email: `${name}@initech.example`,
  firstName: 'Erika',
  lastName: name,
  jobTitle: 'Buyer',
  ...more,
});

async function made(): Promise<string> {
  return String((await deals.opportunities()).find((row) => row['Name'] === 'Theirs')?.['Id']);
}

async function namesOf(crmId: string): Promise<readonly unknown[]> {
  const roles = await world.crm.list('OpportunityContactRole');
  const ids = roles.filter((row) => row['OpportunityId'] === crmId).map((row) => row['ContactId']);
  const contacts = await world.crm.list('Contact');
  return contacts
    .filter((row) => ids.includes(row['Id']))
    .map((row) => row['LastName'])
    .sort();
}

async function addContact(crmId: string, fields: Raw): Promise<void> {
  const { AccountId } = await deals.row('Opportunity', crmId);
  const ContactId = await world.crm.create('Contact', { AccountId, FirstName: 'Erika', ...fields });
  await world.crm.create('OpportunityContactRole', { OpportunityId: crmId, ContactId });
}

async function vendorNames(crmId: string): Promise<readonly unknown[]> {
  const lead = (await deals.leadNamed(crmId)) ?? {};
  return ((lead['customerContact'] ?? []) as readonly Raw[]).map((row) => row['lastName']).sort();
}

describe.each([
  ['a deal', []],
  ['a deal too large for one request', Array.from({ length: 12 }, (_, n) => person(`More${n}`))],
])('of %s', (_, others) => {
  const names = others.map((other) => other['lastName']);

  it('a contact that the CRM refuses waits, and the deal is made without it', async () => {
    await deals.lead({
      name: 'Theirs',
      customerContacts: [person('Untitled', { jobTitle: 'none' }), person('Good'), ...others],
    });
    await deals.poll();
    const crmId = await made();
    expect(await namesOf(crmId)).toEqual(['Good', ...names].sort());
    expect(await issues(crmId)).toEqual(['crm-refused customerContacts']);
    await world.crm.edit(crmId, { Description: 'ours' });
    await deals.sweep();
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
    expect(await vendorNames(crmId)).toEqual(['Good', 'Untitled', ...names].sort());
    expect(await issues(crmId)).toEqual(['crm-refused customerContacts']);
    await addContact(crmId, { LastName: 'Untitled', Email: 'UNTITLED@initech.example', Title: 'Buyer' });
    await deals.sweep();
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await settle(world)).toEqual([]);
  });
});

describe('two contacts with one e-mail address', () => {
  it('in the CRM are reported, and all else goes', async () => {
    const account = await deals.account();
    const crmId = await deals.opportunity(account);
    await deals.line(crmId, 500);
    await deals.contact(account, crmId, 'info@initech.example');
    expect(await settle(world)).toEqual([]);
    await addContact(crmId, { LastName: 'Second', Email: 'Info@initech.example' });
    await world.crm.edit(crmId, { Description: 'ours' });
    await deals.sweep();
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
    expect(await vendorNames(crmId)).toEqual(['Muster']);
    expect(await deals.link(crmId)).toMatchObject({ state: 'parked' });
    expect(await issues(crmId)).toEqual(['contact-repeated customerContacts']);
    const second = (await world.crm.list('Contact')).find((row) => row['LastName'] === 'Second');
    await world.crm.edit(String(second?.['Id']), { Email: 'second@initech.example' });
    await deals.sweep();
    expect(await vendorNames(crmId)).toEqual(['Muster', 'Second']);
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await settle(world)).toEqual([]);
  });

  it('of a vendor-created deal are reported until both are there, or one is gone', async () => {
    const email = 'info@initech.example';
    await deals.lead({
      name: 'Theirs',
      customerContacts: [person('First', { email }), person('Second', { email })],
    });
    await deals.poll();
    const crmId = await made();
    expect(await namesOf(crmId)).toEqual(['First']);
    expect(await issues(crmId)).toEqual(['contact-repeated customerContacts']);
    await deals.editAtVendor(crmId, {
      customerContact: [person('First', { email })],
    });
    await deals.poll();
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await settle(world)).toEqual([]);
  });
});
