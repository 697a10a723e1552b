/** What the vendor once refused: when it is sent again. The real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal({ isAgreed: false }));
});

async function refused(operation: string): Promise<number> {
  await world.vendor.fault({ operation, status: 400, times: 1 });
  if (operation === 'updateLeadOpportunity') await world.crm.edit(crmId, { Description: 'new' });
  await deals.sweep();
  expect(await deals.link(crmId)).toMatchObject({ state: 'parked', issues: [{ code: 'vendor-refused' }] });
  return deals.vendorWrites();
}

describe.each(['createLeadOpportunity', 'updateLeadOpportunity'])('a refusal of %s', (operation) => {
  beforeEach(async () => {
    if (operation === 'updateLeadOpportunity') expect(await settle(world)).toEqual([]);
  });

  it('is tried again when a user saves, though nothing is changed', async () => {
    await refused(operation);
    await deals.time(2_000);
    await world.crm.edit(crmId, { Vendor_Share__c: true });
    await deals.sweep();
    expect(await settle(world)).toEqual([]);
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
  });

  it('is tried again on an operator’s word', async () => {
    const sent = await refused(operation);
    await world.requestSync({ crmId });
    await deals.time(20_000);
    expect(await deals.vendorWrites()).toBeGreaterThan(sent);
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
  });
});

describe('a user of the CRM who asks for a sync', () => {
  const ask = () => world.crm.edit(crmId, { Lockstep_Sync_Asked__c: world.clock.now() });
  const reads = () => deals.asked('readLeadOpportunity');
  beforeEach(async () => {
    expect(await settle(world)).toEqual([]);
    await deals.time(5_000);
  });

  it('has both sides looked at, also where nothing signalled a change, once each time', async () => {
    await deals.editAtVendor(crmId, { description: 'theirs' });
    await world.crm.edit(crmId, { NextStep: 'Call' });
    await deals.sweep();
    expect((await deals.row('Opportunity', crmId))['Description']).not.toBe('theirs');
    await ask();
    await deals.sweep();
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Description: 'theirs' });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    const before = await reads();
    await world.wake([crmId], 'crm');
    await deals.time(20_000);
    expect(await reads()).toBe(before);
    await ask();
    await deals.sweep();
    expect(await reads()).toBe(before + 1);
  });

  it('has sent again what was refused', async () => {
    await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 400, times: 1 });
    await world.crm.edit(crmId, { Description: 'ours' });
    await deals.sweep();
    expect(await deals.link(crmId)).toMatchObject({ state: 'parked' });
    await ask();
    await deals.sweep();
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
  });
});
