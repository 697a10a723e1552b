/** A pair that a person separates, and every way in which it could become one again: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { PickedSide } from '../../src/domain/record/pick.ts';
import { type LinkPorts, linkRecords } from '../../src/operator/records/link-records.ts';
import { unlinkRecord } from '../../src/operator/records/unlink-record.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { intakeOf, observerOf } from '../support/engine/operator.ts';
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
  await world.crm.permit('Lockstep_Owned_Fields', 'edit');
  crmId = await deals.shared({}, { Vendor_DUNS__c: '123456789' });
  await deals.sweep();
  await deals.poll();
  vendorId = (await deals.link(crmId)).vendorId ?? '';
  expect(vendorId).not.toBe('');
});

async function unlink(id: string): Promise<void> {
  await unlinkRecord({ ledger: world.ledger, intake: intakeOf(world) }, world.tenant, id, world.clock.now());
  await deals.time(60_000);
}

async function link(prefer: PickedSide | null = null): Promise<void> {
  const remote = {
    opportunity: (id: string) => deals.row('Opportunity', id),
    hasVendorRecord: async () => true,
  };
  const ports = { ledger: world.ledger, intake: intakeOf(world), remote } as unknown as LinkPorts;
  await linkRecords(ports, world.tenant, { crmId, vendorId }, prefer, world.clock.now());
  await deals.time(60_000);
}

const record = () => world.ledger.findLinkByIds(world.tenant, { vendorId });

/** Everything that streams find, and the work that follows. */
async function streams(): Promise<void> {
  await deals.sweep();
  await deals.poll();
  await deals.sweep();
}

/** Two unlinked records that both wait, and no third. */
async function expectTwo(writes: number): Promise<void> {
  expect(await deals.link(crmId)).toMatchObject({
    vendorId: null,
    base: null,
    state: 'parked',
    issues: [{ code: 'unlinked' }],
  });
  expect(await record()).toMatchObject({ crmId: null, state: 'parked', issues: [{ code: 'unlinked' }] });
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Id__c: null, Vendor_Status__c: null });
  const row = await deals.syncRow(crmId);
  expect(row).toMatchObject({ Sync_State__c: 'Parked', Vendor_Modified__c: null });
  expect(row?.['Message__c']).toContain(vendorId);
  expect(await deals.opportunities()).toHaveLength(1);
  expect(await deals.leads()).toHaveLength(1);
  expect(await deals.vendorWrites()).toBe(writes);
}

describe('a pair that a person separates', () => {
  it.each(['crm', 'vendor'] as const)('is two that wait, by the id of the %s, and neither is changed', async (side) => {
    const [before] = await deals.leads();
    const writes = await deals.vendorWrites();
    await unlink(side === 'crm' ? crmId : vendorId);
    await expectTwo(writes);
    expect(await settle(world)).toEqual([]);
    await expectTwo(writes);
    expect(await deals.leads()).toEqual([before]);
    for (const key of [crmId, `vendor:${vendorId}`]) {
      const journal = await world.ledger.journal(world.tenant, key, 20);
      expect(journal.map(({ summary }) => summary)).toContainEqual({ event: 'unlinked', crmId, vendorId });
    }
  });

  it('that began at the vendor is two as well, and its keys do not match them again', async () => {
    await world.vendor.remove(vendorId);
    await world.crm.remove(crmId);
    vendorId = await deals.lead();
    await deals.poll();
    crmId = (await record())?.crmId ?? '';
    expect((await record())?.key).toBe(`vendor:${vendorId}`);
    await deals.time(120_000);
    const writes = await deals.vendorWrites();
    await unlink(vendorId);
    await world.vendor.edit(vendorId, { partnerLeadOpportunityId: null, nextMilestone: 'Call' });
    await streams();
    expect(await deals.link(crmId)).toMatchObject({ vendorId: null, issues: [{ code: 'unlinked' }] });
    expect(await record()).toMatchObject({ crmId: null, issues: [{ code: 'unlinked' }] });
    expect(await deals.opportunities()).toHaveLength(1);
    expect(await deals.vendorWrites()).toBe(writes);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an edit in the CRM', () => world.crm.edit(crmId, { Description: 'Anew' })],
    ['an edit at the vendor, which carries our reference', () => world.vendor.edit(vendorId, { description: 'Anew' })],
    ['its id, entered in the CRM', () => world.crm.edit(crmId, { Vendor_Id__c: vendorId })],
    [
      'its reference, of 15 characters',
      () => world.vendor.edit(vendorId, { partnerLeadOpportunityId: crmId.slice(0, 15) }),
    ],
    ['its keys', () => world.vendor.edit(vendorId, { partnerLeadOpportunityId: null, description: 'Anew' })],
    [
      'being unshared and shared again',
      async () => {
        await world.crm.edit(crmId, { Vendor_Share__c: false });
        await deals.sweep();
        expect(await deals.link(crmId)).toMatchObject({ state: 'detached' });
        await world.vendor.edit(vendorId, { partnerLeadOpportunityId: null });
        await deals.poll();
        await world.crm.edit(crmId, { Vendor_Share__c: true });
      },
    ],
    [
      'a person who has both looked at',
      () => Promise.all([world.requestSync({ crmId }), world.requestSync({ vendorId })]),
    ],
    ['a mark that names both', () => world.ledger.markDue(world.tenant, [{ crmId, vendorId }], world.clock.now())],
    [
      'the search for a create whose answer was lost',
      async () => {
        const { key, generation } = await deals.link(crmId);
        await world.ledger.settle(world.tenant, key, {
          at: world.clock.now(),
          vendorInDoubt: 'create',
          observedGeneration: generation,
        });
        await world.requestSync({ crmId });
      },
    ],
    [
      'ERR801',
      async () => {
        const { key } = await deals.link(crmId);
        await world.ledger.settle(world.tenant, key, {
          at: world.clock.now(),
          adoptingSince: world.clock.now(),
        });
        await world.requestSync({ crmId });
      },
    ],
  ])('stays two after %s', async (_, act) => {
    const writes = await deals.vendorWrites();
    await unlink(crmId);
    await act();
    await streams();
    await expectTwo(writes);
    // Nor was it adopted for a moment.
    const journal = await world.ledger.journal(world.tenant, crmId, 50);
    const adopted = journal.filter(({ kind, summary }) => kind === 'adoption' && !summary['outcome']);
    expect(adopted).toEqual([]);
  });

  it('is emptied in the CRM also where the opportunity is not shared', async () => {
    await world.crm.edit(crmId, { Vendor_Share__c: false });
    await deals.sweep();
    await unlink(crmId);
    expect(await deals.row('Opportunity', crmId)).toMatchObject({
      Vendor_Id__c: null,
      Vendor_Status__c: null,
    });
    expect(await deals.link(crmId)).toMatchObject({ vendorId: null, state: 'detached' });
    await streams();
    expect(await deals.opportunities()).toHaveLength(1);
  });

  it('is looked at so by an operator too', async () => {
    await unlink(crmId);
    const observer = observerOf(world);
    for (const link of [await deals.link(crmId), await record()]) {
      if (link === null) throw new Error('no link');
      const { plan } = await observer.observeDeal(link);
      expect(plan).toMatchObject({ next: 'parked', issues: [{ code: 'unlinked' }] });
    }
  });

  it('keeps none from another counterpart', async () => {
    await unlink(crmId);
    await world.vendor.edit(vendorId, { partnerLeadOpportunityId: 'OTHER-1' });
    const other = await deals.lead({ name: 'Another', partnerLeadOpportunityId: null });
    await world.crm.edit(crmId, { Vendor_Id__c: other });
    await streams();
    expect(await deals.link(crmId)).toMatchObject({ vendorId: other, state: 'in-sync' });
    expect(await record()).toMatchObject({ crmId: null, issues: [{ code: 'unlinked' }] });
  });
});

describe('lockstep link', () => {
  async function edited(): Promise<void> {
    await world.crm.edit(crmId, {
      Description: 'From the CRM',
      Vendor_Next_Milestone__c: 'Of the CRM alone',
    });
    await world.vendor.edit(vendorId, { description: 'From the vendor' });
  }

  it('makes one of the two again, by which both flow', async () => {
    await unlink(crmId);
    await link();
    expect(await deals.link(crmId)).toMatchObject({ key: crmId, vendorId, state: 'in-sync', issues: [] });
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Id__c: vendorId });
    await world.crm.edit(crmId, { Description: 'Flows' });
    await streams();
    expect(await deals.leads()).toMatchObject([{ id: vendorId, description: 'Flows' }]);
    await unlink(crmId);
    await expectTwo(await deals.vendorWrites());
  });

  it.each<[PickedSide, string]>([
    ['crm', 'From the CRM'],
    ['vendor', 'From the vendor'],
  ])('keeps the values of the %s where it is preferred, and what only one has', async (prefer, description) => {
    ({ world, deals } = await openWorld({ prefer: prefer === 'crm' ? 'vendor' : 'crm' }));
    crmId = await deals.shared();
    await streams();
    vendorId = (await deals.link(crmId)).vendorId ?? '';
    await unlink(crmId);
    await edited();
    await link(prefer);
    await streams();
    const expected: Raw = { description, nextMilestone: 'Of the CRM alone' };
    expect(await deals.leads()).toMatchObject([expected]);
    expect(await deals.row('Opportunity', crmId)).toMatchObject({
      Description: description,
      Vendor_Next_Milestone__c: 'Of the CRM alone',
    });
  });
});

describe('an opportunity of whose two vendor records the vendor keeps the other', () => {
  it('is that other’s when a person has unlinked the one that is gone and linked the one that is there', async () => {
    const other = await deals.lead({ partnerLeadOpportunityId: crmId.slice(0, 15) });
    await deals.poll();
    expect(await deals.link(crmId)).toMatchObject({ issues: [{ code: 'several-candidates' }] });
    await world.vendor.remove(vendorId);
    await deals.check();
    expect(await deals.link(crmId)).toMatchObject({ state: 'vendor-missing', vendorId });
    await unlink(crmId);
    vendorId = other;
    await link();
    expect(await settle(world)).toEqual([]);
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', vendorId: other });
    expect(await deals.leads()).toHaveLength(1);
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Id__c: other });
  });
});
