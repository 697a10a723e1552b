/** The vendor's answer to a registered deal reaches its owner once, wherever a worker is lost. On ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createWakeOverdue } from '../../activities/streams/wake-due.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Loss } from '../support/engine/interruptions.ts';
import { sharedLead } from '../support/engine/shared-lead.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World, WorldOptions } from '../support/engine/world.ts';

/** More calls than a poll, the record's work and its notice make together. */
const POINTS = 40;
/** A lost worker is noticed, and its work was tried again. */
const AFTER_LOSS_MS = 120_000;

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;
let deal: string;

async function registered(options: Partial<WorldOptions> = {}): Promise<void> {
  ({ world, deals } = await openWorld({ notify: { owner: 'task' }, ...options }));
  deal = await deals.opportunity(await deals.account(), { Name: 'Deal' });
  await deals.line(deal, 500);
  await deals.sweep();
  await deals.poll();
}

async function answers(set: Readonly<Record<string, unknown>>): Promise<void> {
  world.clock.advance(2_000);
  await world.vendor.edit(String((await deals.leadNamed(deal))?.['id']), set);
}

/** What the tenant's upkeep does about notices, and all work that follows from it. */
async function upkeep(): Promise<void> {
  const requestNotices = async () => void world.startStream('notifyOwners');
  const { ledger, runtime, clock } = world;
  const deps = { ledger, runtime: () => runtime, now: clock.now, wake: async () => {}, requestNotices };
  await createWakeOverdue(deps as unknown as ActivityDeps)({ tenant: world.tenant });
  await deals.time(AFTER_LOSS_MS);
}

/** Whether the shard of the tenant begins its upkeep at once, for nothing but a notice. */
async function hasUpkeep(): Promise<boolean> {
  const [never, at] = ['1970-01-01T00:00:00.000Z', world.clock.now()];
  const when = { before: never, unreportedSince: never, reportingSince: never, at };
  return (await world.ledger.tenantsToWake([world.tenant], when)).length > 0;
}

/** The calls of the ledger that wake a record: before and after each of two. The next call requests the notice. */
const WAKES = 4;

/** The vendor rejects the deal, and the worker dies after it has stored that, before it requests the notice. */
async function loseRequest(): Promise<void> {
  await answers({ approvalStatus: 'REJECTED' });
  world.interruptions.plan(WAKES + 1, 'worker', 'waking');
  world.startStream('pollVendor');
  await deals.time(AFTER_LOSS_MS);
  world.interruptions.clear();
  expect(world.interruptions.losses()).toBe(1);
  expect(await world.ledger.hasDealNews(world.tenant, world.clock.now())).toBe(true);
  expect(await tasks()).toEqual([]);
}

const tasks = async (): Promise<readonly unknown[]> =>
  (await world.crm.list('Task')).filter(({ WhatId }) => WhatId === deal).map(({ Subject }) => Subject);

describe('the vendor’s answer', () => {
  beforeEach(() => registered());

  it('is a task of the owner, with the reason, after it was read', async () => {
    await answers({ approvalStatus: 'REJECTED', dsComment: 'Another partner was first.' });
    await deals.poll();
    const { OwnerId } = await deals.row('Opportunity', deal);
    expect(await world.crm.list('Task')).toMatchObject([
      {
        ...{ WhatId: deal, OwnerId, Subject: 'Vendor: 2 answers changed' },
        Description: 'Approval: REJECTED\nComment: Another partner was first.',
      },
    ]);
    await deals.poll();
    await upkeep();
    expect(await tasks()).toHaveLength(1);
  });

  it('that the deal is won there, and open here, is one too', async () => {
    await answers({ status: 'WON' });
    await deals.poll();
    expect(await tasks()).toEqual(['Vendor: Closed at the vendor WON']);
    expect(await deals.syncRow(deal)).toMatchObject({ Sync_State__c: 'Closed at vendor' });
  });

  it('is no task while it says nothing new', async () => {
    await answers({ description: 'Theirs' });
    await deals.poll();
    await deals.sweep();
    expect(await tasks()).toEqual([]);
  });
});

it('no task is made for a tenant that wants none', async () => {
  await registered({ notify: { owner: 'none' } });
  await answers({ approvalStatus: 'REJECTED' });
  await deals.poll();
  await upkeep();
  expect(await tasks()).toEqual([]);
  expect(await world.ledger.dueNotices(world.tenant, 'Opportunity', world.clock.now(), 10)).toEqual([]);
});

const bells = async (): Promise<readonly unknown[]> => (await world.crm.bells()).map(({ title }) => title);

it('rings the bell of the owner, on the deal', async () => {
  await registered({ notify: { owner: 'bell' } });
  await answers({ approvalStatus: 'REJECTED', dsComment: 'x'.repeat(900) });
  await deals.poll();
  const { OwnerId } = await deals.row('Opportunity', deal);
  const rung = { type: 'Lockstep_Vendor_News', recipientId: OwnerId, targetId: deal };
  expect(await world.crm.bells()).toMatchObject([{ ...rung, title: 'Vendor: 2 answers changed' }]);
  expect(String((await world.crm.bells())[0]?.['body'])).toHaveLength(750);
  expect(await tasks()).toEqual([]);
});

it.each(['outbound', 'pubsub'] as const)(
  'reaches the owner with no sweep of Salesforce between (%s)',
  async (changes) => {
    await registered({ changes });
    const before = (await world.crm.requests()).length;
    await answers({ approvalStatus: 'REJECTED' });
    await deals.poll();
    expect(await tasks()).toEqual(['Vendor: Approval REJECTED']);
    const asked = (await world.crm.requests()).slice(before);
    await upkeep();
    expect((await world.crm.requests()).length - before).toBe(asked.length);
  },
);

it('is requested again by the upkeep of the tenant where the request was lost', async () => {
  await registered();
  await loseRequest();
  expect(await hasUpkeep()).toBe(true);
  await upkeep();
  expect(await hasUpkeep()).toBe(false);
  expect(await tasks()).toEqual(['Vendor: Approval REJECTED']);
});

it('reaches the owner also where it came before Lockstep first read the new deal', async () => {
  ({ world, deals } = await openWorld({ notify: { owner: 'task' } }));
  deal = await deals.opportunity(await deals.account(), { Name: 'Deal' });
  await deals.line(deal, 500);
  await deals.sweep();
  await answers({ approvalStatus: 'REJECTED' });
  await deals.poll();
  expect(await tasks()).toEqual(['Vendor: Approval REJECTED']);
});

it('is dropped where the tenant has meanwhile turned notices off', async () => {
  await registered();
  await loseRequest();
  const { runtime } = world;
  world.house.serve(world.tenant, { ...runtime, tenant: { ...runtime.tenant, notify: { owner: 'none' } } });
  await upkeep();
  expect(await world.ledger.hasDealNews(world.tenant, world.clock.now())).toBe(false);
  expect(await tasks()).toEqual([]);
});

describe('the owner of a lead', () => {
  let lead: string;

  async function registeredLead(): Promise<void> {
    ({ world, deals } = await openWorld({ leads: {}, notify: { owner: 'task' } }));
    lead = await sharedLead(world);
    await deals.sweep();
    await deals.poll();
  }

  it('gets a task about the lead', async () => {
    await registeredLead();
    world.clock.advance(2_000);
    await world.vendor.edit(String((await deals.leadNamed(lead))?.['id']), { approvalStatus: 'APPROVED' });
    await deals.poll();
    expect((await world.crm.list('Task')).map(({ WhoId, Subject }) => [WhoId, Subject])).toEqual([
      [lead, 'Vendor: Approval APPROVED'],
    ]);
  });
});

it.each<[Loss, 'task' | 'bell', typeof tasks]>([
  ['worker', 'task', tasks],
  ['run', 'task', tasks],
  ['worker', 'bell', bells],
  ['run', 'bell', bells],
])('is reported exactly once wherever a %s is lost, by %s', async (what, owner, reported) => {
  await registered({ notify: { owner } });
  const { interruptions } = world;
  const expected: string[] = [];
  for (let point = 1; point <= POINTS; point += 1) {
    await answers({ approvalStatus: `ANSWER_${point}` });
    expected.push(`Vendor: Approval ANSWER_${point}`);
    interruptions.plan(point, what);
    world.startStream('pollVendor');
    await deals.time(AFTER_LOSS_MS);
    interruptions.clear();
    await deals.poll();
    await upkeep();
  }
  expect(interruptions.losses()).toBeGreaterThan(POINTS / 3);
  expect(await reported()).toEqual(expected);
});

it.each<Loss>(['worker', 'run'])(
  'a deal that the vendor closes is shown and reported exactly once wherever a %s is lost',
  async (what) => {
    await registered();
    const { interruptions } = world;
    for (let point = 1; point <= POINTS; point += 1) {
      await answers({ status: 'WON' });
      interruptions.plan(point, what);
      world.startStream('pollVendor');
      await deals.time(AFTER_LOSS_MS);
      interruptions.clear();
      await deals.poll();
      await upkeep();
      expect(await deals.syncRow(deal)).toMatchObject({ Sync_State__c: 'Closed at vendor' });
      expect(await tasks()).toEqual(Array.from({ length: point }, () => 'Vendor: Closed at the vendor WON'));
      await answers({ status: 'OPPY_OPEN' });
      await deals.poll();
      expect(await deals.syncRow(deal)).toMatchObject({ Sync_State__c: 'In sync' });
    }
    expect(interruptions.losses()).toBeGreaterThan(POINTS / 3);
  },
);
