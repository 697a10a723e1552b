/** A deal made in the CRM whose answer is lost: what users do before the next try is theirs. On ledger and simulators. */

import { beforeEach, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import type { Loss } from '../support/engine/interruptions.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World, WorldOptions } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

const HOOLI = { name: 'Hooli', city: 'Bonn', country: 'DE' };

async function imported(): Promise<Raw | undefined> {
  return (await deals.opportunities()).find((row) => row['Name'] === 'Theirs');
}

/** Makes the deal in the CRM, and stops where its answer is lost. */
async function importUnanswered(): Promise<Raw> {
  await world.crm.fault({ operation: 'composite', cut: 'after', times: 1 });
  await deals.lead({ name: 'Theirs', customerLegalEntity: HOOLI });
  world.clock.advance(1_000);
  world.startStream('pollVendor');
  for (let steps = 0; steps < 500; steps += 1) {
    const made = await imported();
    if (made !== undefined) return made;
    await world.scheduler.step(world.clock.readMs() + 600_000);
  }
  throw new Error('the deal was never made');
}

async function lead(): Promise<Raw | undefined> {
  return (await deals.leads()).find((row) => row['name'] === 'Theirs');
}

it('an account that is edited before the next try keeps the edit, and the vendor gets it', async () => {
  const made = await importUnanswered();
  world.clock.advance(2_000);
  await world.crm.edit(String(made['AccountId']), { BillingCity: 'Berlin', Vendor_DUNS__c: '987654321' });
  await deals.time(120_000);
  expect(await settle(world)).toEqual([]);
  expect(await deals.row('Account', String(made['AccountId']))).toMatchObject({ BillingCity: 'Berlin' });
  expect(await lead()).toMatchObject({
    customerLegalEntity: { city: 'Berlin', dunsNumber: '987654321' },
  });
});

it('an account that nobody has edited is not sent back', async () => {
  const made = await importUnanswered();
  world.clock.advance(2_000);
  await deals.time(120_000);
  expect(await settle(world)).toEqual([]);
  expect(await deals.row('Account', String(made['AccountId']))).toMatchObject({ BillingCity: 'Bonn' });
  const bodies = (await world.vendor.requests()).filter(({ operation }) => operation === 'updateLeadOpportunity');
  expect(bodies.map(({ body }) => Object.keys(body as Raw))).toEqual([['leadOpportunity']]);
});

it('an account that was there before, and differs, is not sent as an edit', async () => {
  await deals.account({ Name: 'Hooli', BillingCity: 'Cologne' });
  world.clock.advance(5_000);
  const made = await importUnanswered();
  expect(await settle(world)).toEqual([]);
  expect(await deals.row('Account', String(made['AccountId']))).toMatchObject({ BillingCity: 'Cologne' });
  expect(await lead()).toMatchObject({ customerLegalEntity: { city: 'Bonn' } });
});

/** A deal of the vendor's that is brought in while a worker or a run is lost, at each point where it may be. On ledger and simulators. */
/** More than a poll and an import together have. */
const POINTS = 90;
/** A lost worker is noticed, and what is tried again has been. */
const AFTER_LOSS_MS = 120_000;

/** Vendor records that do not name their opportunity, or have none. */
async function untold(deals: Deals): Promise<readonly unknown[]> {
  const opportunities = new Map((await deals.opportunities()).map((row) => [row['Vendor_Id__c'], row['Id']] as const));
  const leads = await deals.leads();
  return leads
    .filter((lead) => lead['partnerLeadOpportunityId'] !== (opportunities.get(lead['id']) ?? 'none'))
    .map((lead) => lead['id']);
}

/** Imported deals without a write back to the vendor. */
async function linksOfUntold({ ledger, tenant }: World, deals: Deals) {
  const missing = await untold(deals);
  const links = await ledger.listLinks(tenant, { limit: 200 });
  return links.filter(({ crmId, vendorId }) => crmId !== null && missing.includes(vendorId));
}

/** Those that the ledger takes for done: nobody would look at them again. */
async function forgotten(world: World, deals: Deals): Promise<readonly string[]> {
  return (await linksOfUntold(world, deals)).filter(({ due }) => !due).map(({ key }) => key);
}

it.each<{ what: Loss; by: string; options: Partial<WorldOptions> }>([
  { what: 'run', by: 'its own workflow', options: {} },
  { what: 'worker', by: 'the lane', options: { lane: { takes: 'all', width: 3 } } },
])('no $what that is lost while $by brings a deal in leaves the vendor without it', async ({ what, options }) => {
  const { world, deals } = await openWorld(options);
  const { interruptions, clock } = world;
  const forgottenAt: Record<number, readonly unknown[]> = {};
  for (let point = 1; point <= POINTS; point += 1) {
    const name = `Theirs ${point}`;
    await deals.lead({ name, customerLegalEntity: { name, city: 'Bonn', country: 'DE' } });
    clock.advance(1_000);
    interruptions.plan(point, what);
    world.startStream('pollVendor');
    await deals.time(AFTER_LOSS_MS);
    const left = await forgotten(world, deals);
    // A check for the CRM's side alone, as after the message of Lockstep's own write, does not read the vendor.
    const keys = (await linksOfUntold(world, deals)).map(({ key }) => key);
    await world.wake(keys, 'crm');
    await deals.time(AFTER_LOSS_MS);
    const leftThen = await forgotten(world, deals);
    if (left.length + leftThen.length > 0) forgottenAt[point] = [...left, ...leftThen];
  }
  expect(interruptions.losses()).toBeGreaterThan(POINTS / 2);
  expect(forgottenAt).toEqual({});
  expect({ unsettled: await settle(world), untold: await untold(deals) }).toEqual({
    unsettled: [],
    untold: [],
  });
});
