/** What is known and not done is not "In sync": in the CRM, in the ledger, in `status`, on the workflow. */
import { beforeEach, describe, expect, it } from 'vitest';
import { readStatus } from '../../src/operator/status/status.ts';
import { SEARCH_ATTRIBUTES, workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;
let deal: string;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
  deal = await deals.shared({ Name: 'Deal' });
  await deals.sweep();
  // The echo of the create is read, and what it shows of the vendor's own fields is reported.
  await deals.poll();
  expect(await deals.syncRow(deal)).toMatchObject({ Sync_State__c: 'In sync' });
});

/** A user saves, and the message arrives; then so much time. */
async function edit(opportunity: string, description: string, ms: number): Promise<void> {
  await world.crm.edit(opportunity, { Description: description });
  await result(opportunity, ms);
}

async function result(opportunity: string, ms: number): Promise<void> {
  await deals.message(opportunity);
  await deals.time(ms);
}

async function shownState(): Promise<string | undefined> {
  const links = await world.ledger.listLinks(world.tenant, { limit: 10 });
  return links.find(({ crmId }) => crmId === deal)?.state;
}

function status() {
  const tenant = {
    tenant: world.tenant,
    vendor: { poll: { everyMs: 60_000, overlapMs: 300_000 }, ordersEveryMs: 300_000, ratePerSecond: 5 },
    salesforce: { sweep: { everyMs: 300_000, overlapMs: 900_000 }, apiShare: 0.25 },
    mapping: world.runtime.tenant.mapping,
  };
  return readStatus(world.ledger, [tenant], world.clock.now());
}

async function crmWrites(): Promise<number> {
  return (await world.crm.requests()).filter(({ operation }) => operation === 'composite').length;
}

describe('a change whose way is short', () => {
  it('is pending in the ledger at once, and costs the CRM no request of its own', async () => {
    const before = await crmWrites();
    await world.crm.edit(deal, { Description: 'quick' });
    const delivery = { id: 'one', source: 'test', crmIds: [deal] };
    const [taken] = await world.ledger.recordDeliveries(world.tenant, [delivery], world.clock.now());
    expect(await shownState()).toBe('pending');
    expect((await status()).tenants[0]?.records).toEqual({ pending: 1 });
    await world.wake(taken?.keys ?? [], 'crm');
    await deals.time(10_000);
    expect(await deals.leadNamed(deal)).toMatchObject({ description: 'quick' });
    expect(await shownState()).toBe('in-sync');
    expect(await crmWrites()).toBe(before);
  });
});

describe.each([
  ['refuses our key', { status: 401 }, 'the vendor to accept our key again', 'vendor-paused'],
  ['throttles', { status: 429, resetSeconds: 60 }, "the reset of the vendor's rate limit", 'vendor-throttled'],
  ['does not answer', { status: 503 }, 'the vendor to answer again', 'vendor-unavailable'],
])('while the vendor %s', (_, fault, words, reason) => {
  it('an edit on its way is pending everywhere, with since when and for what, until both sides have it', async () => {
    await world.vendor.fault(fault);
    const since = world.clock.now().slice(0, 16).replace('T', ' ');
    await edit(deal, 'Meanwhile', 10_000);
    expect(await deals.syncRow(deal)).toMatchObject({
      Sync_State__c: 'Pending',
      Message__c: expect.stringContaining(words) as string,
    });
    expect((await deals.syncRow(deal))?.['Message__c']).toContain(since);
    expect(await shownState()).toBe('pending');
    expect((await status()).tenants).toMatchObject([
      {
        records: { pending: 1 },
        waiting: [{ waitsFor: reason, records: 1 }],
        flow: { backlog: { records: 1 }, causes: [] },
      },
    ]);
    expect(await settle(world)).toEqual([]);
    expect(await deals.leadNamed(deal)).toMatchObject({ description: 'Meanwhile' });
    expect(await deals.syncRow(deal)).toMatchObject({ Sync_State__c: 'In sync', Message__c: null });
    expect((await status()).tenants).toMatchObject([
      { records: { 'in-sync': 1 }, waiting: [], flow: { backlog: null } },
    ]);
  });

  it('a deal that is first shared has a row that says so', async () => {
    await world.vendor.fault(fault);
    await edit(deal, 'The first to meet it', 10_000);
    const fresh = await deals.opportunity(await deals.account({ Name: 'Other' }), { Name: 'Fresh' });
    await deals.line(fresh, 700);
    await result(fresh, 10_000);
    expect(await deals.syncRow(fresh)).toMatchObject({ Sync_State__c: 'Pending' });
    expect(await settle(world)).toEqual([]);
    expect(await deals.syncRow(fresh)).not.toMatchObject({ Sync_State__c: 'Pending' });
  });
});

it('a workflow that waits for the vendor does not say that its record is in sync', async () => {
  await world.vendor.fault({ status: 503 });
  await edit(deal, 'Meanwhile', 10_000);
  const id = workflowIds.syncOpportunity(world.tenant, deal);
  expect(world.scheduler.searchAttribute(id, SEARCH_ATTRIBUTES.syncState.name)).toBe('pending');
  await world.vendor.clearFaults();
  const untilMs = world.clock.readMs() + 60_000;
  const shown = () => world.scheduler.searchAttribute(id, SEARCH_ATTRIBUTES.syncState.name);
  while (shown() === 'pending') expect(await world.scheduler.step(untilMs)).toBe(true);
  expect(shown()).toBe('in-sync');
});

it('many that wait are reported in bulk, and once', async () => {
  const account = await deals.account({ Name: 'Many' });
  const many = await Promise.all(
    Array.from({ length: 30 }, (_, n) => deals.opportunity(account, { Name: `Deal ${n}` })),
  );
  await world.vendor.fault({ status: 401 });
  await edit(deal, 'The first to meet it', 1_000);
  const before = await crmWrites();
  for (const one of many) await result(one, 10);
  await deals.time(60_000);
  const rows = (await world.crm.list('Lockstep_Sync__c')).filter((row) => row['Sync_State__c'] === 'Pending');
  expect(rows).toHaveLength(31);
  expect((await crmWrites()) - before).toBeLessThanOrEqual(2);
});

it('a record whose wake-up is lost is found by the next poll', async () => {
  await world.crm.edit(deal, { Description: 'Nobody is woken' });
  const delivery = { id: 'unsignalled', source: 'test', crmIds: [deal] };
  await world.ledger.recordDeliveries(world.tenant, [delivery], world.clock.now());
  await deals.time(20_000);
  world.startStream('pollVendor');
  await deals.time(5_000);
  expect(await deals.syncRow(deal)).toMatchObject({ Sync_State__c: 'Pending' });
  expect(await settle(world)).toEqual([]);
  expect(await deals.syncRow(deal)).toMatchObject({ Sync_State__c: 'In sync' });
});
