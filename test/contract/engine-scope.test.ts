/** Records that are not, or no longer, to be shared, on every path: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

/** A deal that was shared, is linked, and is shared no more. */
async function unshared(): Promise<{ readonly crmId: string; readonly vendorId: string }> {
  const crmId = await deals.shared();
  await deals.sweep();
  await world.crm.edit(crmId, { Vendor_Share__c: false });
  await deals.sweep();
  const { state, vendorId } = await deals.link(crmId);
  expect(state).toBe('detached');
  return { crmId, vendorId: vendorId ?? '' };
}

describe('a record that is no longer shared', () => {
  it('stays detached when the vendor no longer has it, and is missing once it is shared again', async () => {
    const { crmId, vendorId } = await unshared();
    await world.vendor.remove(vendorId);
    const keys = await world.ledger.markDue(world.tenant, [{ vendorId }], world.clock.now());
    await world.wake(keys, 'vendor');
    await deals.time(60_000);
    expect(await deals.link(crmId)).toMatchObject({ state: 'detached', issues: [] });
    await world.crm.edit(crmId, { Vendor_Share__c: true });
    await deals.sweep();
    expect(await settle(world)).toEqual([]);
    expect(await deals.link(crmId)).toMatchObject({ state: 'vendor-missing' });
    expect(await deals.leads()).toEqual([]);
  });
});

describe('a record that was never shared', () => {
  it('goes nowhere, whoever names it', async () => {
    const crmId = await deals.shared({ Vendor_Share__c: false });
    const before = await deals.row('Opportunity', crmId);
    const vendorId = await deals.lead({ partnerLeadOpportunityId: crmId });
    const keys = await world.ledger.markDue(world.tenant, [{ crmId }], world.clock.now());
    await world.wake(keys, 'any');
    await deals.poll();
    expect(await settle(world)).toEqual([]);
    expect(await deals.link(crmId)).toMatchObject({ state: 'detached', vendorId });
    expect(await deals.row('Opportunity', crmId)).toEqual(before);
    expect(await deals.vendorWrites()).toBe(0);
    expect(await world.crm.list('Lockstep_Sync__c')).toEqual([]);
  });
});

describe('a record that we made for the vendor', () => {
  it('is not taken up again when its user unshared it before we knew that it was made', async () => {
    const vendorId = await deals.lead({ name: 'Made at the vendor' });
    await world.crm.fault({ operation: 'composite', cut: 'after', times: 1 });
    world.startStream('pollVendor');
    let made = await deals.opportunities();
    for (let step = 0; step < 50 && made.length === 0; step += 1) {
      await world.scheduler.step(world.clock.readMs() + 10_000);
      made = await deals.opportunities();
    }
    const crmId = String(made[0]?.['Id']);
    await world.crm.edit(crmId, { Vendor_Share__c: false });
    expect(await settle(world)).toEqual([]);
    expect(await deals.link(crmId)).toMatchObject({ state: 'detached', vendorId });
    expect(await deals.vendorWrites()).toBe(0);
    expect(await deals.opportunities()).toHaveLength(1);
  });
});
