/** What Lockstep owns of an opportunity, and a user changed by a slip: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;
let crmId = '';
let vendorId = '';

beforeEach(async () => {
  ({ world, deals } = await openWorld());
  // A validation rule of the package stops most slips; here are those that get past it.
  await world.crm.permit('Lockstep_Owned_Fields', 'edit');
  crmId = await deals.shared();
  await deals.sweep();
  vendorId = (await deals.link(crmId)).vendorId ?? '';
});

async function messageOf(id: string): Promise<unknown> {
  const rows = await world.crm.list('Lockstep_Sync__c');
  return rows.find((row) => row['Opportunity_Key__c'] === id)?.['Message__c'];
}

describe('a field of Lockstep that a user changed', () => {
  it.each<[string, Raw]>([
    ['an emptied vendor id', { Vendor_Id__c: null }],
    ['another vendor id', { Vendor_Id__c: 'LO-00009999' }],
    ['an emptied status', { Vendor_Status__c: null }],
    ['another status', { Vendor_Status__c: 'WON' }],
    ['both', { Vendor_Id__c: null, Vendor_Status__c: 'WON' }],
  ])('is put back with a note, and goes nowhere: %s', async (_, slip) => {
    const [before, writes] = [await deals.row('Opportunity', crmId), await deals.vendorWrites()];
    await world.crm.edit(crmId, slip);
    await deals.sweep();
    const { Vendor_Id__c, Vendor_Status__c } = await deals.row('Opportunity', crmId);
    expect({ Vendor_Id__c, Vendor_Status__c }).toEqual({
      Vendor_Id__c: vendorId,
      Vendor_Status__c: before['Vendor_Status__c'],
    });
    for (const field of Object.keys(slip)) expect(await messageOf(crmId)).toContain(field);
    expect(await deals.link(crmId)).toMatchObject({ vendorId, state: 'in-sync' });
    expect(await settle(world)).toEqual([]);
    expect(await deals.vendorWrites()).toBe(writes);
  });

  it.each(['crm', 'vendor', 'any'] as const)(
    'is put back where its record is gone at the vendor, though the look is for the sake of: %s',
    async (cause) => {
      await world.vendor.remove(vendorId);
      await deals.check();
      await world.crm.edit(crmId, { Vendor_Id__c: null });
      await world.wake([(await deals.link(crmId)).key], cause);
      await deals.time(60_000);
      expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Id__c: vendorId });
      expect(await deals.link(crmId)).toMatchObject({ state: 'vendor-missing' });
    },
  );

  it('hides no edit that is made while it is put back, and of which no wake-up tells', async () => {
    for (let point = 1; point <= 12; point += 1) {
      const Description = `Edited at point ${point}`;
      await world.crm.edit(crmId, { Vendor_Id__c: null });
      world.interruptions.plan(point, async () => {
        await world.crm.edit(crmId, { Description });
        const delivery = { id: `d-${point}`, source: 'outbound-message', crmIds: [crmId] } as const;
        await world.ledger.recordDeliveries(world.tenant, [delivery], world.clock.now());
      });
      await world.wake([(await deals.link(crmId)).key], 'crm');
      await deals.time(5_000);
      world.interruptions.clear();
      const { generation, observedGeneration } = await deals.link(crmId);
      const [lead] = await deals.leads();
      expect({
        point,
        isSeen: generation > observedGeneration || lead?.['description'] === Description,
      }).toEqual({
        point,
        isSeen: true,
      });
      expect(await settle(world)).toEqual([]);
    }
  });
});

describe('a vendor id that another deal has', () => {
  it('is reported where it is missing, until the other gives it up', async () => {
    const other = await deals.opportunity(await deals.account(), { Vendor_Share__c: false });
    await world.crm.edit(crmId, { Vendor_Id__c: null });
    await world.crm.edit(other, { Vendor_Id__c: vendorId });
    await deals.sweep();
    expect(await deals.link(crmId)).toMatchObject({
      vendorId,
      state: 'parked',
      issues: [{ code: 'vendor-id-taken' }],
    });
    expect(await messageOf(crmId)).toContain('Another opportunity');
    expect(await settle(world)).toEqual([]);
    await world.crm.edit(other, { Vendor_Id__c: null });
    await world.requestSync({ crmId });
    await deals.time(60_000);
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Id__c: vendorId });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await settle(world)).toEqual([]);
  });

  it('makes no second vendor record of an opportunity that carries it', async () => {
    const other = await deals.opportunity(await deals.account());
    await deals.line(other, 700);
    await world.crm.edit(crmId, { Vendor_Id__c: null });
    await world.crm.edit(other, { Vendor_Id__c: vendorId });
    await deals.sweep();
    expect(await settle(world)).toEqual([]);
    expect(await deals.link(other)).toMatchObject({
      vendorId: null,
      state: 'parked',
      issues: [{ code: 'vendor-id-taken' }],
    });
    expect(await deals.leads()).toHaveLength(1);
    await world.crm.edit(other, { Vendor_Id__c: null });
    await deals.sweep();
    await world.requestSync({ crmId });
    expect(await settle(world)).toEqual([]);
    expect(await deals.leads()).toHaveLength(2);
    for (const id of [crmId, other]) expect(await deals.link(id)).toMatchObject({ state: 'in-sync' });
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Id__c: vendorId });
  });
});

describe('the package', () => {
  beforeEach(() => world.crm.permit('Lockstep_Owned_Fields', 'none'));

  it.each<[string, Raw]>([
    ['empty the vendor id', { Vendor_Id__c: null }],
    ['change the vendor id', { Vendor_Id__c: 'LO-1' }],
    ['change the status', { Vendor_Status__c: 'WON' }],
    ['empty the status', { Vendor_Status__c: null }],
  ])('lets no user %s', async (_, slip) => {
    const error = await world.crm.edit(crmId, slip).catch(String);
    expect(error).toContain('FIELD_CUSTOM_VALIDATION_EXCEPTION');
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Id__c: vendorId });
  });

  it('lets a user enter a vendor id, and correct it while nothing is agreed', async () => {
    const other = await deals.opportunity(await deals.account(), { Vendor_Share__c: false });
    for (const id of ['LO-00000077', 'LO-00000078', null]) await world.crm.edit(other, { Vendor_Id__c: id });
    expect(await deals.row('Opportunity', other)).toMatchObject({ Vendor_Id__c: null });
  });

  it('lets a user empty the vendor id of an opportunity that is not shared, which another deal needs', async () => {
    await world.crm.edit(crmId, { Vendor_Share__c: false });
    await deals.sweep();
    await world.crm.edit(crmId, { Vendor_Id__c: null });
    expect(await settle(world)).toEqual([]);
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Id__c: null });
    expect(await deals.link(crmId)).toMatchObject({ state: 'detached' });
  });

  it('lets its integration user go on', async () => {
    await world.vendor.edit(vendorId, { status: 'ACCEPTED' });
    await deals.poll();
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Status__c: 'ACCEPTED' });
  });
});
