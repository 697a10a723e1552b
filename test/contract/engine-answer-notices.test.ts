/** The vendor's answer to a registered deal reaches its owner once, wherever a worker is lost. On ledger and simulators. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Loss } from '../support/engine/interruptions.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World, WorldOptions } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

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

const tasks = async (): Promise<readonly unknown[]> =>
  (await world.crm.list('Task')).filter(({ WhatId }) => WhatId === deal).map(({ Subject }) => Subject);

describe('the vendor’s answer', () => {
  beforeEach(() => registered());

  it('is a task of the owner, with the reason, after it was read', async () => {
    await answers({ approvalStatus: 'REJECTED', dsComment: 'Another partner was first.' });
    await deals.poll();
    await deals.sweep();
    const { OwnerId } = await deals.row('Opportunity', deal);
    expect(await world.crm.list('Task')).toMatchObject([
      {
        ...{ WhatId: deal, OwnerId, Subject: 'Vendor: 2 answers changed' },
        Description: 'Approval: REJECTED\nComment: Another partner was first.',
      },
    ]);
    await deals.poll();
    await deals.sweep();
    expect(await tasks()).toHaveLength(1);
  });

  it('that the deal is won there, and open here, is one too', async () => {
    await answers({ status: 'WON' });
    await deals.poll();
    await deals.sweep();
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
  await deals.sweep();
  expect(await tasks()).toEqual([]);
  expect(await world.ledger.dueNotices(world.tenant, 'Opportunity', world.clock.now(), 10)).toEqual([]);
});

/** More calls than a poll, the record's work and a sweep with its notice make together. */
const POINTS = 40;
/** A lost worker is noticed, and its work was tried again. */
const AFTER_LOSS_MS = 120_000;

const bells = async (): Promise<readonly unknown[]> => (await world.crm.bells()).map(({ title }) => title);

it('rings the bell of the owner, on the deal', async () => {
  await registered({ notify: { owner: 'bell' } });
  await answers({ approvalStatus: 'REJECTED', dsComment: 'x'.repeat(900) });
  await deals.poll();
  await deals.sweep();
  const { OwnerId } = await deals.row('Opportunity', deal);
  const rung = { type: 'Lockstep_Vendor_News', recipientId: OwnerId, targetId: deal };
  expect(await world.crm.bells()).toMatchObject([{ ...rung, title: 'Vendor: 2 answers changed' }]);
  expect(String((await world.crm.bells())[0]?.['body'])).toHaveLength(750);
  expect(await tasks()).toEqual([]);
});

it.each<[Loss, 'reading' | 'notifying', 'task' | 'bell', typeof tasks]>([
  ['worker', 'reading', 'task', tasks],
  ['run', 'reading', 'task', tasks],
  ['worker', 'notifying', 'task', tasks],
  ['worker', 'notifying', 'bell', bells],
  ['run', 'notifying', 'bell', bells],
])('is reported exactly once wherever a %s is lost while %s, by %s', async (what, stage, owner, reported) => {
  await registered({ notify: { owner } });
  const { interruptions } = world;
  const expected: string[] = [];
  for (let point = 1; point <= POINTS; point += 1) {
    await answers({ approvalStatus: `ANSWER_${point}` });
    expected.push(`Vendor: Approval ANSWER_${point}`);
    if (stage === 'reading') interruptions.plan(point, what);
    world.startStream('pollVendor');
    await deals.time(AFTER_LOSS_MS);
    if (stage === 'notifying') interruptions.plan(point, what);
    world.startStream('sweepSalesforce');
    await deals.time(AFTER_LOSS_MS);
    interruptions.clear();
    await deals.poll();
    await deals.sweep();
  }
  expect(interruptions.losses()).toBeGreaterThan(POINTS / 3);
  expect(await reported()).toEqual(expected);
});
