/** A contact that cannot be made, or told from another, keeps no deal back. The real engine on ledger and simulators. */

import { elements } from 'lockstep-simulators/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

/** An org that has a rule on the titles of contacts. */
const openWorld = withWorlds(workflows, {
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

async function issues(crmId: string): Promise<readonly string[]> {
  return (await deals.link(crmId)).issues.map(({ code, field }) => `${code} ${field}`);
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
  it('in the CRM are told, and all else goes', async () => {
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

  it('of a vendor-created deal are told until both are there, or one is gone', async () => {
    const email = 'info@initech.example';
    await deals.lead({
      name: 'Theirs',
      customerContacts: [person('First', { email }), person('Second', { email })],
    });
    await deals.poll();
    const crmId = await made();
    expect(await namesOf(crmId)).toEqual(['First']);
    expect(await issues(crmId)).toEqual(['contact-repeated customerContacts']);
    await world.vendor.edit(String((await deals.leadNamed(crmId))?.['id']), {
      customerContact: [person('First', { email })],
    });
    await deals.poll();
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await settle(world)).toEqual([]);
  });
});
