/** A tenant whose records leave all at once: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import { resumeTenant } from '../../src/operator/tenants/resume-tenant.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { manyDeals } from '../support/engine/many-deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const GUARDS = { maxDetachShare: 0.3, minimum: 3, windowMs: 3_600_000 };
const DEALS = 6;

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;
let ids: string[];

beforeEach(async () => {
  ({ world, deals } = await openWorld({ guards: GUARDS }));
  ids = await manyDeals(deals, DEALS);
  await deals.sweep();
  expect(await states()).toEqual({ 'in-sync': DEALS });
});

function states(): Promise<Readonly<Record<string, number>>> {
  return world.ledger.countByState(world.tenant);
}

async function shareAll(shared: boolean): Promise<void> {
  for (const id of ids) await world.crm.edit(id, { Vendor_Share__c: shared });
}

async function expectPaused(left: Readonly<Record<string, number>>): Promise<void> {
  expect(await world.ledger.pauses(world.tenant)).toMatchObject([
    { group: 'whole-tenant', reason: expect.stringContaining('would leave within 60 min') },
  ]);
  // What is held is known to wait.
  expect(await states()).toEqual({ ...left, pending: DEALS - 2 });
}

async function lift(): Promise<string | null> {
  const tenant = { tenant: world.tenant, guards: GUARDS };
  return (
    await resumeTenant(world.ledger, tenant, world.clock.now(), async () => ({
      probeNow: async () => {},
      endWaits: async () => {},
    }))
  ).allowedUntil;
}

describe('too many records that leave at once', () => {
  it('pause the tenant, whatever time passes, and detach no more', async () => {
    await shareAll(false);
    await deals.sweep();
    await expectPaused({ detached: 2 });
    const [pause] = await world.ledger.pauses(world.tenant);
    expect(pause?.reason).toMatch(/^3 of 6 linked records/);
    for (let hour = 0; hour < 3; hour += 1) {
      world.startStream('pollVendor');
      world.startStream('sweepSalesforce');
      await deals.time(3_600_000);
    }
    await expectPaused({ detached: 2 });
  });

  it('flow on after a person has undone the accident and lifted the pause', async () => {
    await shareAll(false);
    await deals.sweep();
    await shareAll(true);
    await world.crm.edit(ids[5] ?? '', { Description: 'Made meanwhile' });
    expect(await lift()).not.toBeNull();
    expect(await settle(world)).toEqual([]);
    expect(await states()).toEqual({ 'in-sync': DEALS });
    expect(await deals.leadNamed(ids[5] ?? '')).toMatchObject({ description: 'Made meanwhile' });
    expect(await lift()).toBeNull();
  });

  it('leave once a person says that it is meant, and the guard is up again afterwards', async () => {
    await shareAll(false);
    await deals.sweep();
    await lift();
    expect(await settle(world)).toEqual([]);
    expect(await states()).toEqual({ detached: DEALS });
    await shareAll(true);
    expect(await settle(world)).toEqual([]);
    expect(await states()).toEqual({ 'in-sync': DEALS });
    await deals.time(GUARDS.windowMs);
    await shareAll(false);
    await deals.sweep();
    await expectPaused({ detached: 2 });
  });
});
