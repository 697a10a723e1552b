/** A vendor's change that a poll finds alone, and that the poll's activity carries over itself: the real engine on ledger and simulators. */
import { beforeEach, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { manyDeals } from '../support/engine/many-deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal({ lane: { takes: 'all', width: 4 } }));
  await deals.time(60_000);
});

const inCrm = async (field = 'Description'): Promise<unknown> => (await deals.row('Opportunity', crmId))[field];

/** The activities that workflows ran on opportunities since a place of the trail, and the workflow of each. */
function work(from: number): readonly string[] {
  const lines = world.scheduler.trail.slice(from).filter((line) => line.includes('/opportunit'));
  return lines.map((line) => line.split(' ').slice(1, 3).join(' ').replace(`${world.tenant}/`, ''));
}

async function polled(): Promise<readonly string[]> {
  const from = world.scheduler.trail.length;
  await deals.poll();
  return work(from);
}

it('is in the CRM when the poll ends, and starts no workflow', async () => {
  await deals.editAtVendor(crmId, { description: 'Theirs' });
  expect(await polled()).toEqual([]);
  expect(await inCrm()).toBe('Theirs');
  expect(await settle(world)).toEqual([]);
});

it('is a new opportunity if the tenant has none for it', async () => {
  await deals.lead({ name: 'Entered at the vendor' });
  expect(await polled()).toEqual([]);
  expect((await deals.opportunities()).map((row) => row['Name'])).toContain('Entered at the vendor');
  expect(await settle(world)).toEqual([]);
});

it('goes on in its own workflow if the CRM refuses the write for a moment', async () => {
  await world.crm.fault({ operation: 'composite', status: 503, times: 1 });
  await deals.editAtVendor(crmId, { description: 'Theirs' });
  expect(await polled()).toContain(`opportunity/${crmId} readVendor`);
  expect(await inCrm()).toBe('Theirs');
  expect(await settle(world)).toEqual([]);
});

it('goes on in its own workflow if the vendor does not answer', async () => {
  await world.vendor.fault({ operation: 'readLeadOpportunity', cut: 'after', times: 1 });
  await deals.editAtVendor(crmId, { description: 'Theirs' });
  expect(await polled()).toContain(`opportunity/${crmId} readVendor`);
  expect(await inCrm()).toBe('Theirs');
});

it('waits in its own workflow if Lockstep wrote the record a moment ago', async () => {
  await world.crm.edit(crmId, { Description: 'Ours' });
  await deals.message(crmId);
  while ((await deals.leadNamed(crmId))?.['description'] !== 'Ours')
    await world.scheduler.step(world.clock.readMs() + 500);
  await deals.editAtVendor(crmId, { nextMilestone: 'Theirs' });
  await polled();
  expect(await inCrm('Vendor_Next_Milestone__c')).toBe('Theirs');
  expect(await settle(world)).toEqual([]);
});

it('is read once and starts no workflow if it is only the echo of an update', async () => {
  await world.crm.edit(crmId, { Description: 'Ours' });
  await deals.message(crmId);
  await deals.time(10_000);
  const reads = await deals.asked('readLeadOpportunity');
  expect(await polled()).toEqual([]);
  expect((await deals.asked('readLeadOpportunity')) - reads).toBe(1);
  expect(await world.ledger.dueKeys(world.tenant, 10)).toEqual([]);
});

it('waits in the lane while the vendor’s quota is used up', async () => {
  await deals.editAtVendor(crmId, { description: 'Theirs' });
  await world.vendor.quota(1, 30);
  expect(await polled()).toContain('opportunities syncRecords');
  expect(await inCrm()).toBe('Theirs');
  expect((await world.vendor.requests()).map(({ status }) => status)).not.toContain(429);
});

it('goes to the lane together with seven others', async () => {
  const ids = [crmId, ...(await manyDeals(deals, 7))];
  expect(await settle(world)).toEqual([]);
  for (const id of ids) await deals.editAtVendor(id, { description: 'Theirs' });
  expect(await polled()).toContain('opportunities syncRecords');
  expect(await inCrm()).toBe('Theirs');
});
