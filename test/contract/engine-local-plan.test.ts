/** What is tried within the workflow task, the first look at a record and all of the CRM's side of a lone change: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

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

describe('a change of the vendor', () => {
  const seen = async (): Promise<unknown> => (await deals.row('Opportunity', crmId))['Vendor_Next_Milestone__c'];
  let before = 0;

  beforeEach(async () => {
    await deals.sweep();
    await deals.poll();
    await deals.editAtVendor(crmId, { nextMilestone: 'From the vendor' });
    before = activities().length;
  });

  /** A poll, up to where it has woken the deal. */
  async function pollUntilWoken(): Promise<void> {
    world.clock.advance(1_000);
    world.startStream('pollVendor');
    while (!world.scheduler.running().some((id) => id.endsWith(crmId)))
      expect(await world.scheduler.step(world.clock.readMs() + 60_000)).toBe(true);
  }

  it('that came alone is decided and written within the task that the reading began', async () => {
    await deals.poll();
    expect(activities().slice(before)).toEqual(['readVendor', 'local:planSync', 'local:writeCrm']);
    expect(await seen()).toBe('From the vendor');
    expect(await settle(world)).toEqual([]);
  });

  it('is left to ordinary activities where the record is hot', async () => {
    await pollUntilWoken();
    while (world.scheduler.running().some((id) => id.endsWith(crmId)))
      expect(await world.scheduler.step(world.clock.readMs())).toBe(true);
    before = activities().length;
    await deals.editAtVendor(crmId, { nextMilestone: 'On its heels' });
    await pollUntilWoken();
    await deals.time(60_000);
    const done = activities().slice(before);
    expect(done.slice(0, 4)).toEqual(['readVendor', 'readVendor', 'planSync', 'writeCrm']);
    expect(await seen()).toBe('On its heels');
  });

  it('is observed again, and written by the ordinary activity, where the CRM fails the first try', async () => {
    await pollUntilWoken();
    while (!activities().slice(before).includes('local:planSync'))
      expect(await world.scheduler.step(world.clock.readMs() + 60_000)).toBe(true);
    await world.crm.fault({ operation: 'composite', status: 503, times: 1 });
    await deals.time(60_000);
    const done = activities().slice(before);
    expect(done.filter((name) => name.endsWith('writeCrm'))).toEqual(['local:writeCrm', 'writeCrm']);
    expect(done.slice(0, 4)).toEqual(['readVendor', 'local:planSync', 'local:writeCrm', 'readVendor']);
    expect(await seen()).toBe('From the vendor');
    expect(await settle(world)).toEqual([]);
  });

  it('leaves once, wherever in the task the worker dies', async () => {
    for (let point = 1; point <= 30; point += 1) {
      const value = `Died at point ${point}`;
      await deals.editAtVendor(crmId, { nextMilestone: value });
      await pollUntilWoken();
      world.interruptions.plan(point, 'worker');
      const from = (await world.crm.requests()).at(-1)?.seq ?? 0;
      await deals.time(120_000);
      expect(await seen()).toBe(value);
      const applied = (await world.crm.requests()).filter(
        ({ seq, status, body }) => seq > from && (status ?? 500) < 300 && JSON.stringify(body ?? {}).includes(value),
      );
      expect(applied, value).toHaveLength(1);
    }
    expect(activities().filter((name) => name === 'local:writeCrm').length).toBeGreaterThan(30);
    expect(await settle(world)).toEqual([]);
  });
});

it('a reading of the vendor that has grown old before it is decided on is made again', async () => {
  await deals.sweep();
  await deals.poll();
  await deals.editAtVendor(crmId, { nextMilestone: 'From the vendor' });
  const before = activities().length;
  world.clock.advance(1_000);
  world.startStream('pollVendor');
  while (activities().length === before) expect(await world.scheduler.step(world.clock.readMs() + 60_000)).toBe(true);
  world.clock.advance(61_000);
  await deals.time(60_000);
  const looks = ['readVendor', 'local:planSync', 'readVendor', 'local:planSync', 'local:writeCrm'];
  // If the poll has reported to the CRM's users that the record waits, a further report says that it no longer does.
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
