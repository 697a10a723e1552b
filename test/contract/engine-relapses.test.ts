/** Keys that may do some things and not others: the pause lasts as long as the fault, and asks little. On ledger and simulators. */
import { beforeEach, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const HOUR_MS = 3_600_000;
const SALES = 'vendor-sales';

const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal());
});

/** Requests of each operation since the world began. */
async function asked(operation: string): Promise<number> {
  return (await world.vendor.requests()).filter((one) => one.operation === operation).length;
}

async function pauses(): Promise<readonly string[]> {
  return (await world.ledger.pauses(world.tenant)).map(({ group, reason }) => `${group}: ${reason}`);
}

it('a key that may search and not write is not taken for one that works', async () => {
  await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 403 });
  await world.crm.edit(crmId, { Description: 'ours' });
  await deals.sweep();
  expect(await pauses()).toEqual([
    expect.stringMatching(new RegExp(`^${SALES}: refused our sign-in or key \\(.*scope`)),
  ]);
  const [updates, reads] = [await asked('updateLeadOpportunity'), await asked('readLeadOpportunity')];
  await deals.time(6 * HOUR_MS);
  const probes = (await asked('updateLeadOpportunity')) - updates;
  // Doubling from five seconds to five minutes; each reads once as well, and the record itself is not looked at.
  expect(probes).toBeGreaterThan(60);
  expect(probes).toBeLessThan(90);
  expect((await asked('readLeadOpportunity')) - reads).toBe(probes);
  expect(await pauses()).toEqual([
    expect.stringMatching(new RegExp(`^${SALES}: refused our sign-in or key \\(.*scope`)),
  ]);
  const leads = (await deals.leads()).length;
  await world.vendor.clearFaults();
  await deals.time(10 * 60_000);
  expect(await pauses()).toEqual([]);
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
  expect((await deals.leads()).length).toBe(leads);
});

const WORDS = 'union select';

async function neighbour(name = 'Other'): Promise<string> {
  const other = await deals.opportunity(await deals.account({ Name: name }), { Name: name });
  await deals.line(other, 100);
  return other;
}

it('one record that is refused in the words of a dead key is set aside, and the others go on', async () => {
  const other = await neighbour();
  await deals.sweep();
  await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 403, words: WORDS });
  await world.crm.edit(crmId, { Description: WORDS });
  await world.crm.edit(other, { Description: 'harmless' });
  world.startStream('sweepSalesforce');
  await deals.time(30_000);
  expect(await deals.leadNamed(other)).toMatchObject({ description: 'harmless' });
  await deals.time(60_000);
  expect(await pauses()).toEqual([]);
  expect(await deals.link(crmId)).toMatchObject({ state: 'parked', issues: [{ code: 'refused-alone' }] });
  expect(String((await deals.syncRow(crmId))?.['Message__c'])).toMatch(/accepts others.*tries again at 20/);
  const updates = await asked('updateLeadOpportunity');
  for (let hour = 0; hour < 6; hour += 1) {
    world.startStream('pollVendor');
    await deals.time(HOUR_MS);
    expect(await pauses()).toEqual([]);
  }
  // Each try of it is one request, with three probes.
  expect((await asked('updateLeadOpportunity')) - updates).toBeLessThanOrEqual(2 * 6);
  await world.vendor.clearFaults();
  expect(await settle(world)).toEqual([]);
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: WORDS });
});

it('a pause names the record that met the refusal', async () => {
  await world.vendor.fault({ status: 403 });
  await world.crm.edit(crmId, { Description: 'ours' });
  await deals.sweep();
  expect(await pauses()).toEqual([expect.stringContaining(`met by record ${crmId}`)]);
});

it.each([401, 403])('five refusals of the key in a row (%i) are over in minutes', async (status) => {
  await world.vendor.fault({ status, times: 5 });
  await world.crm.edit(crmId, { Description: 'ours' });
  const from = world.clock.readMs();
  world.startStream('sweepSalesforce');
  while ((await deals.leadNamed(crmId))?.['description'] !== 'ours') await deals.time(5_000);
  expect(world.clock.readMs() - from).toBeLessThan(200_000);
  expect(await pauses()).toEqual([]);
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
});

it('a key that may not create parks what is to be created, one by one, and holds up nothing else', async () => {
  await world.vendor.fault({ operation: 'createLeadOpportunity', status: 403 });
  const others = [await neighbour('A'), await neighbour('B'), await neighbour('C')];
  await deals.sweep();
  await deals.time(120_000);
  for (const other of others)
    expect(await deals.link(other)).toMatchObject({ state: 'parked', issues: [{ code: 'refused-alone' }] });
  expect(await pauses()).toEqual([]);
  await world.crm.edit(crmId, { Description: 'ours' });
  await deals.sweep();
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
  await world.vendor.clearFaults();
  expect(await settle(world)).toEqual([]);
  for (const other of others) expect(await deals.link(other)).toMatchObject({ state: 'in-sync' });
});
