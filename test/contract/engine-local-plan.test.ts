/** The first look at a record, within the workflow task: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
/** A shared deal that nobody has looked at yet. */
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal({ isAgreed: false }));
});

/** The activities of the deal's own workflow, in their order; `local:` those within a workflow task. */
function activities(): readonly string[] {
  const lines = world.scheduler.trail.filter((line) => line.includes(`/opportunity/${crmId} `));
  return lines.map((line) => line.split(' ')[2] ?? '');
}

/** A sweep, up to where it has woken the deal; the look at it comes next. */
async function sweepUntilWoken(): Promise<void> {
  world.startStream('sweepSalesforce');
  while (!world.scheduler.running().some((id) => id.endsWith(crmId)))
    expect(await world.scheduler.step(world.clock.readMs() + 60_000)).toBe(true);
}

describe('a wake from the CRM', () => {
  it('is answered by a local activity, and nothing else looks before the write', async () => {
    await deals.sweep();
    expect(activities().slice(0, 2)).toEqual(['local:planSync', 'createAtVendor']);
    expect(await settle(world)).toEqual([]);
  });

  it('is left to the ordinary activity when the CRM does not answer', async () => {
    await sweepUntilWoken();
    await world.crm.fault({ cut: 'before', times: 1 });
    await deals.time(60_000);
    expect(activities().slice(0, 3)).toEqual(['local:planSync', 'planSync', 'createAtVendor']);
    expect(await settle(world)).toEqual([]);
  });

  it('is answered once more when the worker dies, and what was edited meanwhile goes along', async () => {
    await sweepUntilWoken();
    world.interruptions.plan(5, 'worker');
    await deals.time(5_000);
    await world.crm.edit(crmId, { Description: 'While it was dead' });
    await deals.time(60_000);
    expect(activities().slice(0, 3)).toEqual(['local:planSync', 'local:planSync', 'createAtVendor']);
    expect(await deals.leads()).toMatchObject([{ description: 'While it was dead' }]);
    expect(await settle(world)).toEqual([]);
  });
});

it('what follows a vendor read is decided by an ordinary activity', async () => {
  await deals.sweep();
  const before = activities().length;
  const lead = await deals.leadNamed(crmId);
  await world.vendor.edit(String(lead?.['id']), { nextMilestone: 'From the vendor' });
  await deals.poll();
  expect(activities().slice(before)).not.toContain('local:planSync');
  expect(activities().slice(before)).toEqual(expect.arrayContaining(['readVendor', 'planSync']));
});

it('a reading of the vendor that has grown old before it is decided on is made again', async () => {
  await deals.sweep();
  await deals.poll();
  const lead = await deals.leadNamed(crmId);
  await world.vendor.edit(String(lead?.['id']), { nextMilestone: 'From the vendor' });
  const before = activities().length;
  world.clock.advance(1_000);
  world.startStream('pollVendor');
  while (activities().length === before)
    expect(await world.scheduler.step(world.clock.readMs() + 60_000)).toBe(true);
  world.clock.advance(61_000);
  await deals.time(60_000);
  const looks = ['readVendor', 'planSync', 'readVendor', 'planSync', 'writeCrm'];
  // Where the poll has told the CRM's users that it waits, they are told that it does no more.
  expect(activities().slice(before, before + looks.length)).toEqual(looks);
  expect(await deals.row('Opportunity', crmId)).toMatchObject({
    Vendor_Next_Milestone__c: 'From the vendor',
  });
});

it('a look in a history that has grown long is an ordinary activity', async () => {
  await deals.sweep();
  const keys = await world.ledger.markDue(world.tenant, [{ crmId }], world.clock.now());
  for (let wakes = 0; wakes < 60; wakes += 1) await world.wake(keys, 'crm');
  const before = activities().length;
  await deals.time(60_000);
  expect(activities()[before]).toBe('planSync');
});
