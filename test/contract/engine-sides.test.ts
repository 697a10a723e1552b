/** A sales person at the page of a deal: the component in a browser, the engine, and the org with the rights of the sales user. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';
import { openBrowser } from '../support/lwc/browser.ts';
import { type StandInOrg, showComponent } from '../support/lwc/component-page.ts';

const openDeal = withDeal(workflows);
const PHONE = 375;
let browser: Browser;
let world: World;
let deals: Deals;
let crmId: string;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** A deal whose description was changed on both sides. */
beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal({ rules: { description: 'manual' } }));
  await deals.time(2_000);
  await world.crm.edit(crmId, { Description: 'Ours' });
  await world.vendor.edit(String((await deals.link(crmId)).vendorId), { description: 'Theirs' });
  await deals.poll();
  expect((await deals.link(crmId)).state).toBe('conflict');
});

/** The rows of the deal, as the sales user may see them. */
async function seen(): Promise<StandInOrg> {
  const sync = String((await deals.syncRow(crmId))?.['id']);
  const rows = await Promise.all(
    [`Opportunity/${crmId}`, `Lockstep_Sync__c/${sync}`].map(async (path) => {
      const { body } = await world.asSalesUser(path);
      const [apiName = '', id = ''] = path.split('/');
      return [id, { apiName, fields: body as Record<string, unknown> }] as const;
    }),
  );
  return { rows: Object.fromEntries(rows), syncsOf: { [crmId]: [sync] }, list: [sync] };
}

async function page(): Promise<Page> {
  const send = async (object: string, id: string, fields: object): Promise<string | null> => {
    const { status, body } = await world.asSalesUser(`${object}/${id}`, fields);
    return status < 300 ? null : JSON.stringify(body);
  };
  const attributes = { recordId: crmId, objectApiName: 'Opportunity' };
  const shown = await showComponent(browser, {
    component: 'lockstepSides',
    attributes,
    org: await seen(),
    width: PHONE,
    send,
  });
  await shown.page.getByRole('status').waitFor({ state: 'attached' });
  return shown.page;
}

const cells = async (of: Page) =>
  (await of.locator('[data-field="description"] [role="cell"] .value').allTextContents()).slice(0, 2);

it.each([
  ['Take ours', 'Ours'],
  ['Take theirs', 'Theirs'],
])('%s: both sides have %s, and nothing is to be decided', async (name, value) => {
  const before = await page();
  expect(await cells(before)).toEqual(['Ours', 'Theirs']);
  await before.getByRole('button', { name }).click();
  await before.getByRole('status').filter({ hasText: 'Lockstep follows within minutes' }).waitFor();
  await deals.sweep();
  await deals.time(60_000);
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Description: value });
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: value });
  const after = await page();
  expect(await after.getByText('In sync').count()).toBe(1);
  expect(await after.locator('[data-field="description"]').count()).toBe(0);
  expect(await after.getByRole('button', { name }).count()).toBe(0);
  await after.getByRole('button', { name: /^Show \d+ fields that are the same/ }).click();
  expect(await cells(after)).toEqual([value, value]);
});

it.each([
  ['the values that Lockstep reports', 'Lockstep_Sync__c.Field_Values__c', ['Ours', 'You may not see this value']],
  ['the field', 'Opportunity.Description', ['You may not see this value', 'You may not see this value']],
])('whoever may not see %s sees no value of the vendor', async (_, field, values) => {
  await world.crm.access({ user: 'user', field, access: 'none' });
  expect(await cells(await page())).toEqual(values);
});

it('whoever may not choose a side reads why', async () => {
  await world.crm.access({ user: 'user', field: 'Lockstep_Sync__c.Resolve__c', access: 'read' });
  const shown = await page();
  await shown.getByRole('button', { name: 'Take ours' }).click();
  await shown.getByRole('alert').filter({ hasText: 'INVALID_FIELD_FOR_INSERT_UPDATE' }).waitFor();
  expect((await deals.syncRow(crmId))?.['Resolve__c'] ?? null).toBeNull();
});
