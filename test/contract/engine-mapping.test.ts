/** Tenants that keep fields in places of their own, side by side. The real engine on ledger and simulators. */

import { elements, type SourceFiles } from 'lockstep-simulators/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { readOrg } from '../../src/operator/status/org-watch.ts';
import { readVendorWatch } from '../../src/operator/status/vendor-watch.ts';
import * as workflows from '../../workflows/index.ts';
import { type Deals, dealsOf } from '../support/engine/deals.ts';
import { planned } from '../support/engine/plans.ts';
import { settle } from '../support/engine/settle.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';
import { openWorld, type World, type WorldOptions } from '../support/engine/world.ts';

const field = (object: string, values: Readonly<Record<string, string | number | boolean>>): SourceFiles => ({
  [`objects/${object}/fields/${values['fullName']}.field-meta.xml`]: ['CustomField', elements(values)],
});

const granted = (name: string, editable = true): string =>
  `<fieldPermissions>${elements({ editable, field: name, readable: true })}</fieldPermissions>`;

/** What the customers' orgs have of their own, granted to the integration user. */
const ORG: SourceFiles = {
  ...field('Opportunity', { fullName: 'Our_Milestone__c', label: 'Milestone', type: 'Text', length: 80 }),
  ...field('Opportunity', {
    fullName: 'Our_Campaign__c',
    label: 'Campaign',
    type: 'Text',
    formula: '"C-" & Name',
  }),
  ...field('Account', { fullName: 'Tactic__c', label: 'Tactic', type: 'Text', length: 20 }),
  'permissionsets/Own_Fields.permissionset-meta.xml': [
    'PermissionSet',
    elements({ label: 'Own fields' }) +
      granted('Opportunity.Our_Milestone__c') +
      granted('Opportunity.Our_Campaign__c', false) +
      granted('Account.Tactic__c'),
  ],
};

const OWN: Partial<World['runtime']['tenant']['mapping']> = {
  fields: {
    nextMilestone: { crm: 'Our_Milestone__c' },
    cometCampaignCode: { crm: 'Our_Campaign__c' },
    gtmTacticId: { crm: 'Account.Tactic__c' },
  },
  directions: { cometCampaignCode: 'to-vendor', gtmTacticId: 'to-vendor' },
};

/** Which edit was the later one does not matter. */
const BY_CRM = { nextMilestone: 'crm' } as const;

const testBed = withTestBed(workflows, ORG);
const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0)) {
    await world.close();
    expect(await world.violations()).toEqual([]);
  }
});

async function world(options: Partial<WorldOptions> = {}, beside?: World) {
  const opened = await openWorld(testBed(), { arrays: 'replace', seed: 1, prefer: 'crm', ...options }, beside);
  open.push(opened);
  return { world: opened, deals: dealsOf(opened) };
}

async function deal(deals: Deals, tactic: string): Promise<string> {
  const crmId = await deals.shared(
    {
      Our_Milestone__c: 'Pilot',
      Vendor_Next_Milestone__c: 'Usual',
      Vendor_GTM_Tactic__c: 'USUAL',
    },
    { Tactic__c: tactic },
  );
  return crmId;
}

describe('two tenants with different mappings', () => {
  it('each read and write their own fields, side by side', async () => {
    const usual = await world();
    const own = await world({ mapping: OWN, arrays: 'merge' }, usual.world);
    const [theirs, ours] = [await deal(usual.deals, 'T-1'), await deal(own.deals, 'T-2')];
    expect(await settle(usual.world)).toEqual([]);
    expect(await settle(own.world)).toEqual([]);
    expect(await usual.deals.leadNamed(theirs)).toMatchObject({
      nextMilestone: 'Usual',
      gtmTacticId: 'USUAL',
    });
    const lead = await own.deals.leadNamed(ours);
    expect(lead).toMatchObject({
      nextMilestone: 'Pilot',
      cometCampaignCode: 'C-Core switches',
      gtmTacticId: 'T-2',
    });
    await own.world.vendor.edit(String(lead?.['id']), { nextMilestone: 'Rollout', gtmTacticId: 'theirs' });
    await own.deals.poll();
    expect(await own.deals.row('Opportunity', ours)).toMatchObject({
      Our_Milestone__c: 'Rollout',
      Vendor_Next_Milestone__c: 'Usual',
      Vendor_GTM_Tactic__c: 'USUAL',
    });
    const account = String((await own.deals.row('Opportunity', ours))['AccountId']);
    await own.world.crm.edit(account, { Tactic__c: 'T-3' });
    await own.world.crm.edit(ours, { Our_Milestone__c: null });
    await own.deals.sweep();
    expect(await own.deals.leadNamed(ours)).toMatchObject({ nextMilestone: '', gtmTacticId: 'T-3' });
    expect(await own.deals.link(ours)).toMatchObject({ state: 'in-sync', issues: [] });
  });
});

it('what changes in the org is reported by the next look at it, with its repair, before a value fails on it', async () => {
  const { world: own, deals } = await world({ mapping: OWN });
  const look = async () => {
    own.startStream('watchOrg');
    await deals.time(60_000);
    return readOrg(own.ledger, own.tenant);
  };
  expect(await readOrg(own.ledger, own.tenant)).toBeNull();
  const before = await look();
  expect(before?.changes).toEqual([]);
  expect(before?.problems.filter(({ verdict }) => verdict === 'fails')).toEqual([]);
  await own.crm.access({ user: 'integration', field: 'Opportunity.Our_Milestone__c', access: 'none' });
  const after = await look();
  expect(after?.changes).toMatchObject([{ what: 'Opportunity.Our_Milestone__c vanished, or is hidden from us' }]);
  expect(after?.problems).toContainEqual({
    verdict: 'fails',
    what: expect.stringContaining('Opportunity.Our_Milestone__c is not there'),
    repair: expect.stringContaining('show it to the integration user'),
  });
  await own.crm.clearAccess();
  expect((await look())?.changes).toMatchObject([
    { what: 'Opportunity.Our_Milestone__c appeared' },
    { what: 'Opportunity.Our_Milestone__c vanished, or is hidden from us' },
  ]);
});

it('a code of the vendor’s that no table knows travels on, and is reported with what makes it known', async () => {
  const { world: own, deals } = await world();
  const crmId = await deal(deals, 'T-1');
  expect(await settle(own)).toEqual([]);
  const watch = () => readVendorWatch(own.ledger, own.tenant, own.runtime.tenant.mapping);
  expect((await watch()).codes).toEqual([]);
  const lead = await deals.leadNamed(crmId);
  await own.vendor.edit(String(lead?.['id']), { forecastCategory: 'BEST', reasonWon: ['LUCK'] });
  await deals.poll();
  const shown = { Vendor_Forecast_Category__c: 'BEST', Vendor_Reasons_Won__c: 'LUCK' };
  expect(await deals.row('Opportunity', crmId)).toMatchObject(shown);
  const { codes } = await watch();
  expect(codes).toMatchObject([
    { field: 'forecastCategory', code: 'BEST', repair: expect.stringContaining('LONGSHOT or LOST') },
    { field: 'reasonWon', code: 'LUCK', repair: expect.stringContaining('values.reasonWon') },
  ]);
  expect(codes.every(({ readings }) => readings > 0)).toBe(true);
});

it('a plan tells what another mapping would fill and bring together, and that it clears nothing', async () => {
  const { world: own, deals } = await world({ alsoMapped: [OWN] });
  const crmIds = [await deal(deals, 'USUAL'), await deal(deals, 'USUAL')] as const;
  expect(await settle(own)).toEqual([]);
  await own.crm.edit(crmIds[0], { Our_Milestone__c: null });
  await own.crm.edit(crmIds[1], { Description: 'ours' });
  const { mapping } = own.runtime.tenant;
  const { records } = await planned(own, { mapping: { ...mapping, ...OWN, rules: BY_CRM } });
  const fieldOf = (crmId: string) =>
    records.find((record) => record.crmId === crmId)?.fields.find(({ field: name }) => name === 'nextMilestone');
  expect(fieldOf(crmIds[0])).toMatchObject({ way: 'to-crm', verdict: 'to-crm' });
  expect(fieldOf(crmIds[1])).toMatchObject({ way: 'to-vendor', rule: 'crm' });
});
