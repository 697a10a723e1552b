/** An org with State and Country/Territory Picklists, whose France has no states. The real engine on ledger and simulators. */
import { beforeEach, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const COUNTRIES = ['DE=Deutschland', 'FR', 'US', 'US-CA=California'];
const openWorld = withWorlds(workflows, undefined, { countries: COUNTRIES });
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

/** The account and the id of what becomes of a vendor-created deal of a company. */
async function imported(name: string, entity: Raw): Promise<{ readonly crmId: string; readonly account: Raw }> {
  await deals.lead({ name, customerLegalEntity: { name: 'Hooli', city: 'Nice', ...entity } });
  await deals.poll();
  const made = (await deals.opportunities()).find((row) => row['Name'] === name);
  expect(made).toBeDefined();
  return { crmId: String(made?.['Id']), account: await deals.row('Account', String(made?.['AccountId'])) };
}

it.each([
  ['FR', 'France', 'FR'],
  ['france', 'France', 'FR'],
  ['DE', 'Deutschland', 'DE'],
])('the vendor’s country %s is chosen, once for a company', async (country, text, code) => {
  const { crmId, account } = await imported('Theirs', { country });
  expect(account).toMatchObject({ BillingCountry: text, BillingCountryCode: code });
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
  expect((await imported('More of theirs', { country })).account['Id']).toBe(account['Id']);
  await world.crm.edit(String(account['Id']), { BillingCity: 'Metz' });
  expect(await settle(world)).toEqual([]);
  expect((await deals.leadNamed(crmId))?.['customerLegalEntity']).toMatchObject({ city: 'Metz', country });
});

it('a state is chosen with its country', async () => {
  const { crmId, account } = await imported('Theirs', { country: 'US', statePrefecture: 'ca' });
  expect(account).toMatchObject({ BillingStateCode: 'CA', BillingState: 'California' });
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
});

it.each([
  ['country', { country: 'Atlantis', statePrefecture: 'Poseidonis' }, { BillingCountryCode: 'FR' }],
  ['state', { country: 'US', statePrefecture: 'Calif.' }, { BillingStateCode: 'CA' }],
])('a %s that the picklist does not have waits until somebody has chosen one', async (what, entity, choice) => {
  const { crmId, account } = await imported('Theirs', entity);
  expect(await deals.link(crmId)).toMatchObject({
    state: 'parked',
    issues: [{ code: 'does-not-fit', field: 'customerLegalEntity', message: expect.stringContaining(what) }],
  });
  await world.crm.edit(crmId, { Description: 'ours' });
  await deals.sweep();
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
  expect(await deals.link(crmId)).toMatchObject({ state: 'parked' });
  await world.crm.edit(String(account['Id']), choice);
  expect(await settle(world)).toEqual([]);
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
});

it('a state of a country without states is left to the vendor', async () => {
  const { crmId, account } = await imported('Theirs', { country: 'FR', statePrefecture: 'Var' });
  expect(account).toMatchObject({ BillingCountryCode: 'FR', BillingState: null });
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
});
