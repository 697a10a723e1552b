/** What the fields of a customer's org cannot hold is known before anything is sent. The real engine on ledger and simulators. */

import { elements, type SourceFiles } from 'lockstep-simulators/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const choices = (...names: readonly string[]): string =>
  `<valueSet><restricted>true</restricted><valueSetDefinition>${names.map((name) => `<value>${elements({ fullName: name, default: false, label: name })}</value>`).join('')}</valueSetDefinition></valueSet>`;

/** An org whose admin has shortened a field and turned two into restricted picklists. */
const ORG: SourceFiles = {
  'objects/Opportunity/fields/Vendor_Campaign_Code__c.field-meta.xml': [
    'CustomField',
    elements({ fullName: 'Vendor_Campaign_Code__c', type: 'Text', length: 10 }),
  ],
  'objects/Opportunity/fields/Vendor_GTM_Tactic__c.field-meta.xml': [
    'CustomField',
    `${elements({ fullName: 'Vendor_GTM_Tactic__c', type: 'Picklist' })}${choices('Cloud', 'Edge')}`,
  ],
  'objects/Opportunity/fields/Vendor_Competitors__c.field-meta.xml': [
    'CustomField',
    `${elements({ fullName: 'Vendor_Competitors__c', type: 'MultiselectPicklist', visibleLines: 4 })}${choices('ACME', 'GLOBEX')}`,
  ],
  'objects/Account/fields/Vendor_DUNS__c.field-meta.xml': [
    'CustomField',
    elements({ fullName: 'Vendor_DUNS__c', type: 'Text', length: 9 }),
  ],
};

const openWorld = withWorlds(workflows, ORG);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

/** Requests that may write, and those that describe. */
async function requests(): Promise<{ readonly writes: number; readonly descriptions: number }> {
  const all = await world.crm.requests();
  const count = (name: string) => all.filter(({ operation }) => operation === name).length;
  return { writes: count('composite'), descriptions: count('describe') };
}

async function pair(): Promise<string> {
  const crmId = await deals.shared();
  expect(await settle(world)).toEqual([]);
  return crmId;
}

async function editAtVendor(crmId: string, fields: Raw): Promise<void> {
  await deals.editAtVendor(crmId, fields);
  await deals.poll();
}

const UNFIT = { cometCampaignCode: 'CAMPAIGN-LONG', gtmTacticId: 'Space', competitors: ['ACME', 'HOOLI'] };

function codes(issues: readonly { readonly code: string; readonly field: string | null }[]): string[] {
  return issues.map(({ code, field }) => `${code} ${field}`).sort();
}

describe('values that the fields of the org cannot hold', () => {
  it('wait by themselves, before anything is refused, and go when they are mended', async () => {
    const crmId = await pair();
    const before = await requests();
    await editAtVendor(crmId, { ...UNFIT, description: 'theirs' });
    expect(await deals.row('Opportunity', crmId)).toMatchObject({
      Description: 'theirs',
      Vendor_Campaign_Code__c: null,
      Vendor_GTM_Tactic__c: null,
      Vendor_Competitors__c: null,
    });
    expect(codes((await deals.link(crmId)).issues)).toEqual([
      'does-not-fit cometCampaignCode',
      'does-not-fit competitors',
      'does-not-fit gtmTacticId',
    ]);
    // The write itself, and its status report.
    expect((await requests()).writes - before.writes).toBe(2);
    await editAtVendor(crmId, { cometCampaignCode: 'C-1', gtmTacticId: 'edge', competitors: ['GLOBEX'] });
    expect(await deals.row('Opportunity', crmId)).toMatchObject({
      Vendor_Campaign_Code__c: 'C-1',
      Vendor_GTM_Tactic__c: 'Edge',
      Vendor_Competitors__c: 'GLOBEX',
    });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
  });

  it('keep no vendor-created deal from being made, nor what of its company and contacts fits', async () => {
    await deals.lead({
      name: 'Theirs',
      ...UNFIT,
      customerLegalEntity: { name: 'Hooli', country: 'DE', city: 'B'.repeat(50), dunsNumber: '1234567890' },
      customerContacts: [
        { email: 'a@hooli.example', firstName: 'A', lastName: 'B'.repeat(100) },
        { email: `${'x'.repeat(80)}@hooli.example`, firstName: 'A', lastName: 'C' },
      ],
    });
    await deals.poll();
    const made = (await deals.opportunities()).find((row) => row['Name'] === 'Theirs');
    expect(made).toMatchObject({ Vendor_Competitors__c: null, Vendor_Campaign_Code__c: null });
    expect(await deals.row('Account', String(made?.['AccountId']))).toMatchObject({
      Name: 'Hooli',
      BillingCity: 'B'.repeat(40),
      Vendor_DUNS__c: null,
    });
    const contacts = (await world.crm.list('Contact')).filter((row) => row['AccountId'] === made?.['AccountId']);
    expect(contacts).toMatchObject([{ Email: 'a@hooli.example', LastName: 'B'.repeat(80) }]);
    expect(codes((await deals.link(String(made?.['Id']))).issues)).toEqual([
      'does-not-fit cometCampaignCode',
      'does-not-fit competitors',
      'does-not-fit gtmTacticId',
    ]);
  });

  it('are asked of the org once for many deals, and again before somebody is notified of an old answer', async () => {
    const ids = [await pair(), await pair(), await pair()];
    for (const crmId of ids) await editAtVendor(crmId, { description: 'theirs' });
    expect((await requests()).descriptions).toBe(1);
    await editAtVendor(ids[0] ?? '', { gtmTacticId: 'Space' });
    expect((await requests()).descriptions).toBe(2);
    await editAtVendor(ids[1] ?? '', { description: 'theirs again' });
    expect((await requests()).descriptions).toBe(2);
  });
});
