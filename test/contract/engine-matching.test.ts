/** Vendor-created records that are an opportunity already: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import { linkRecords } from '../../src/operator/records/link-records.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { intakeOf } from '../support/engine/operator.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

/** The vendor's record and the only opportunity that it can be, which no sweep has shown yet. */
async function pair(): Promise<{ readonly crmId: string; readonly vendorId: string }> {
  const account = await deals.account({ Vendor_DUNS__c: '123456789' });
  const crmId = await deals.opportunity(account, { Name: 'CORE switches', Description: 'From the CRM' });
  const vendorId = await deals.lead({ nextMilestone: 'From the vendor' });
  return { crmId, vendorId };
}

/** `lockstep link`, and what follows from it within a minute, with no stream read. */
async function saidToBe(ids: Awaited<ReturnType<typeof pair>>): Promise<void> {
  const remote = { opportunity: async () => ({ Vendor_Share__c: true }), hasVendorRecord: async () => true };
  const ports = { ledger: world.ledger, intake: intakeOf(world), remote };
  await linkRecords(ports, world.tenant, ids, null, world.clock.now());
  await deals.time(60_000);
}

async function expectOneDeal({ crmId, vendorId }: Awaited<ReturnType<typeof pair>>): Promise<void> {
  expect(await deals.leads()).toMatchObject([
    { id: vendorId, partnerLeadOpportunityId: crmId, description: 'From the CRM' },
  ]);
  const [opportunity, ...others] = await deals.opportunities();
  expect(others).toEqual([]);
  expect(opportunity).toMatchObject({
    Id: crmId,
    Vendor_Id__c: vendorId,
    Vendor_Next_Milestone__c: 'From the vendor',
  });
  expect(await deals.link(crmId)).toMatchObject({ crmId, vendorId, state: 'in-sync' });
}

/** Two opportunities of one account, alike, and a vendor record that either may be. */
async function twoThatMayBeOne() {
  const account = await deals.account({ Vendor_DUNS__c: '123456789' });
  const ids = [await deals.opportunity(account), await deals.opportunity(account)].sort();
  for (const id of ids) await deals.line(id, 500);
  return { ids, vendorId: await deals.lead() };
}

describe('a vendor-created record', () => {
  it('becomes the one opportunity with its keys, and both keep what they had', async () => {
    const both = await pair();
    world.startStream('pollVendor');
    await deals.time(20_000);
    await expectOneDeal(both);
    expect(await settle(world)).toEqual([]);
    await expectOneDeal(both);
    const journal = await world.ledger.journal(world.tenant, `vendor:${both.vendorId}`, 100);
    expect(journal.filter(({ kind }) => kind === 'adoption').map(({ summary }) => summary)).toEqual([
      { matchedOn: 'customer, name', candidates: 1, ...both },
    ]);
  });

  it('becomes it too when the sweep has seen the opportunity, and it waits for a repair', async () => {
    const account = await deals.account({ Vendor_DUNS__c: '123456789' });
    const crmId = await deals.opportunity(account, {
      StageName: 'Needs Analysis',
      Description: 'From the CRM',
    });
    world.startStream('sweepSalesforce');
    await deals.time(20_000);
    expect(await deals.link(crmId)).toMatchObject({ state: 'parked', vendorId: null });
    const vendorId = await deals.lead({ nextMilestone: 'From the vendor' });
    expect(await settle(world)).toEqual([]);
    await expectOneDeal({ crmId, vendorId });
  });

  it.each(['worker', 'run'] as const)(
    'is one record whenever the %s dies',
    async (what) => {
      for (let point = 1; point <= 20; point += what === 'run' ? 2 : 1) {
        ({ world, deals } = await openWorld({ seed: point }));
        const both = await pair();
        world.interruptions.plan(point, what);
        world.startStream('pollVendor');
        await deals.time(20_000);
        expect(await settle(world)).toEqual([]);
        await expectOneDeal(both);
      }
    },
    240_000,
  );

  it('keeps every opportunity that it may be from being made at the vendor, until a person names the right one', async () => {
    const { ids, vendorId } = await twoThatMayBeOne();
    await deals.poll();
    await deals.sweep();
    expect(await deals.leads()).toHaveLength(1);
    for (const id of ids) {
      const { state, issues } = await deals.link(id);
      expect({ state, codes: issues.map(({ code }) => code) }).toEqual({
        state: 'parked',
        codes: ['possible-duplicate'],
      });
      for (const named of [...ids, vendorId]) expect(issues[0]?.message).toContain(named);
    }
    const [right = '', wrong = ''] = ids;
    await world.crm.edit(right, { Vendor_Id__c: vendorId });
    expect(await settle(world)).toEqual([]);
    expect(await deals.link(right)).toMatchObject({ vendorId, state: 'in-sync' });
    expect(await deals.link(wrong)).toMatchObject({ state: 'in-sync' });
    expect(await deals.leads()).toHaveLength(2);
  });

  it('makes the other opportunity at the vendor as soon as a person has said which one it is', async () => {
    const { ids, vendorId } = await twoThatMayBeOne();
    await deals.poll();
    await deals.sweep();
    const [right = '', wrong = ''] = ids;
    expect(await deals.link(wrong)).toMatchObject({ state: 'parked' });
    await saidToBe({ crmId: right, vendorId });
    expect(await deals.link(right)).toMatchObject({ vendorId, state: 'in-sync' });
    expect(await deals.link(wrong)).toMatchObject({ state: 'in-sync' });
    expect(await deals.leads()).toHaveLength(2);
    expect(await settle(world)).toEqual([]);
    expect(await deals.leads()).toHaveLength(2);
  });

  it('is one of its own as soon as a person has named another as the opportunity that it may be', async () => {
    const account = await deals.account({ Vendor_DUNS__c: '123456789' });
    const crmId = await deals.opportunity(account, { Vendor_Share__c: false });
    await deals.line(crmId, 500);
    const [named, other] = [await deals.lead(), await deals.lead()];
    await deals.poll();
    await world.crm.edit(crmId, { Vendor_Share__c: true });
    await deals.sweep();
    for (const vendorId of [named, other])
      expect(await world.ledger.findLinkByIds(world.tenant, { vendorId })).toMatchObject({ state: 'parked' });
    await saidToBe({ crmId, vendorId: named });
    expect(await deals.link(crmId)).toMatchObject({ vendorId: named, state: 'in-sync' });
    const own = await world.ledger.findLinkByIds(world.tenant, { vendorId: other });
    expect(own).toMatchObject({ state: 'in-sync', crmId: expect.any(String) });
    expect(own?.crmId).not.toBe(crmId);
  });

  describe('that may be an opportunity which is not shared', () => {
    let candidate = '';
    let vendorId = '';

    beforeEach(async () => {
      const account = await deals.account({ Vendor_DUNS__c: '123456789' });
      candidate = await deals.opportunity(account, { Vendor_Share__c: false, Description: 'From the CRM' });
      await deals.line(candidate, 500);
      vendorId = await deals.lead({ nextMilestone: 'From the vendor' });
      await deals.sweep();
      await deals.poll();
    });

    const waiting = () => world.ledger.findLinkByIds(world.tenant, { vendorId });

    it('waits as a possible duplicate that names it, and makes no second one', async () => {
      const link = await waiting();
      expect(link).toMatchObject({ state: 'parked', issues: [{ code: 'possible-duplicate' }] });
      expect(link?.issues[0]?.message).toContain(candidate);
      expect(await settle(world)).toEqual([]);
      expect(await deals.opportunities()).toHaveLength(1);
      expect(await deals.leads()).toHaveLength(1);
      expect(await deals.vendorWrites()).toBe(0);
    });

    it('is that opportunity as soon as it is shared', async () => {
      await world.crm.edit(candidate, { Vendor_Share__c: true });
      await deals.sweep();
      await expectOneDeal({ crmId: candidate, vendorId });
      expect(await settle(world)).toEqual([]);
      await expectOneDeal({ crmId: candidate, vendorId });
    });

    it('is that opportunity when its id is entered there, and flows when it is shared', async () => {
      await world.crm.edit(candidate, { Vendor_Id__c: vendorId });
      await deals.sweep();
      expect(await deals.link(candidate)).toMatchObject({ vendorId, state: 'detached' });
      expect(await deals.vendorWrites()).toBe(0);
      await world.crm.edit(candidate, { Vendor_Share__c: true });
      expect(await settle(world)).toEqual([]);
      await expectOneDeal({ crmId: candidate, vendorId });
    });

    it('is that opportunity on an operator’s word', async () => {
      await world.crm.edit(candidate, { Vendor_Share__c: true });
      await saidToBe({ crmId: candidate, vendorId });
      await expectOneDeal({ crmId: candidate, vendorId });
    });

    it.each([
      ['gets another name', (id: string) => world.crm.edit(id, { Name: 'Access switches' })],
      ['is closed', (id: string) => world.crm.edit(id, { StageName: 'Closed Lost' })],
      ['is deleted', (id: string) => world.crm.remove(id)],
    ])('is made again when that opportunity %s', async (_, act) => {
      expect(await waiting()).toMatchObject({ state: 'parked' });
      await act(candidate);
      expect(await settle(world)).toEqual([]);
      const link = await waiting();
      expect(link?.state).toBe('in-sync');
      expect(link?.crmId).not.toBe(candidate);
    });

    it('is no third record where a second one may be that opportunity as well', async () => {
      const second = await deals.lead();
      await deals.poll();
      await world.crm.edit(candidate, { Vendor_Share__c: true });
      expect(await settle(world)).toEqual([]);
      const link = await deals.link(candidate);
      expect(link).toMatchObject({ state: 'parked', issues: [{ code: 'possible-duplicate' }] });
      for (const id of [vendorId, second]) expect(link.issues[0]?.message).toContain(id);
      expect(await deals.leads()).toHaveLength(2);
      await world.crm.edit(candidate, { Vendor_Id__c: vendorId });
      expect(await settle(world)).toEqual([]);
      expect(await deals.link(candidate)).toMatchObject({ vendorId, state: 'in-sync' });
      expect(await deals.leads()).toHaveLength(2);
    });
  });

  it.each([
    ['is closed', { StageName: 'Closed Won' }],
    ['has another name', { Name: 'Access switches' }],
  ])('is made again where the opportunity %s', async (_, fields) => {
    const account = await deals.account({ Vendor_DUNS__c: '123456789' });
    const crmId = await deals.opportunity(account, fields);
    const vendorId = await deals.lead();
    world.startStream('pollVendor');
    await deals.time(20_000);
    const link = await world.ledger.findLinkByIds(world.tenant, { vendorId });
    expect(link?.crmId).not.toBeNull();
    expect(link?.crmId).not.toBe(crmId);
  });

  it('and an opportunity that leaves for the vendor at the same time never share one link', async () => {
    const outcomes = new Set<number>();
    for (let seed = 1; seed <= 8; seed += 1) {
      ({ world, deals } = await openWorld({ seed }));
      const { crmId } = await pair();
      await deals.line(crmId, 500);
      if (seed % 2 === 0) await world.vendor.fault({ operation: 'createLeadOpportunity', cut: 'after', times: 1 });
      world.startStream('sweepSalesforce');
      for (let step = 0; step < seed % 8; step += 1) await world.scheduler.step(world.clock.readMs() + 1_000);
      world.startStream('pollVendor');
      expect(await settle(world)).toEqual([]);
      const [opportunities, leads] = [await deals.opportunities(), await deals.leads()];
      const pairs = leads.map((lead) => [lead['partnerLeadOpportunityId'], lead['id']]).sort();
      expect(opportunities.map((row) => [row['Id'], row['Vendor_Id__c']]).sort()).toEqual(pairs);
      outcomes.add(pairs.length);
    }
    expect([...outcomes].sort()).toEqual([1, 2]);
  }, 240_000);
});

describe('a vendor record that names an opportunity by 15 characters, as reports write its id', () => {
  it('is that opportunity', async () => {
    const account = await deals.account();
    const crmId = await deals.opportunity(account, { Description: 'From the CRM' });
    const vendorId = await deals.lead({ partnerLeadOpportunityId: crmId.slice(0, 15) });
    world.startStream('pollVendor');
    await deals.time(20_000);
    expect(await settle(world)).toEqual([]);
    expect(await deals.opportunities()).toHaveLength(1);
    expect(await deals.leads()).toMatchObject([{ id: vendorId, description: 'From the CRM' }]);
  });

  it.each(['the other is made first', 'it is seen first'])(
    'is parked together with another that names it, and both are named, where %s',
    async (order) => {
      const account = await deals.account();
      const crmId = await deals.opportunity(account);
      await deals.line(crmId, 500);
      const short = { partnerLeadOpportunityId: crmId.slice(0, 15) };
      const first = order === 'it is seen first' ? await deals.lead(short) : null;
      if (first !== null) await deals.poll();
      else await deals.sweep();
      // The vendor lets no two have the same spelling of it.
      const taken = (await deals.leads())[0]?.['partnerLeadOpportunityId'];
      const second = await deals.lead(taken === crmId ? short : { partnerLeadOpportunityId: crmId });
      await deals.poll();
      expect(await settle(world)).toEqual([]);
      const leads = (await deals.leads()).map((lead) => String(lead['id']));
      expect(leads).toHaveLength(2);
      expect(await deals.opportunities()).toHaveLength(1);
      for (const ids of [{ crmId }, { vendorId: second }]) {
        const link = await world.ledger.findLinkByIds(world.tenant, ids);
        expect(link).toMatchObject({ state: 'parked', issues: [{ code: 'several-candidates' }] });
        for (const id of leads) expect(link?.issues[0]?.message).toContain(id);
      }
      const { vendorId, vendorObservation } = await deals.link(crmId);
      expect(vendorObservation?.vendorId).toBe(vendorId);
      await world.vendor.edit(second, { partnerLeadOpportunityId: null, name: 'Another deal' });
      expect(await settle(world)).toEqual([]);
      await world.crm.edit(crmId, { Description: 'goes on' });
      await deals.sweep();
      expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync' });
    },
    60_000,
  );

  it('is remembered where another that names it comes while it is not shared', async () => {
    const crmId = await deals.shared();
    await deals.sweep();
    await world.crm.edit(crmId, { Vendor_Share__c: false });
    await deals.sweep();
    await deals.lead({ partnerLeadOpportunityId: crmId.slice(0, 15) });
    await deals.poll();
    expect(await settle(world)).toEqual([]);
    const shown = async () => {
      const [row] = await world.crm.list('Lockstep_Sync__c');
      return [row?.['Sync_State__c'], row?.['Message__c']];
    };
    expect(await deals.link(crmId)).toMatchObject({
      state: 'detached',
      issues: [{ code: 'reference-repeated' }],
    });
    expect(await shown()).toEqual(['Detached', expect.stringContaining('before you share the opportunity')]);
    await world.crm.edit(crmId, { Vendor_Share__c: true });
    await deals.sweep();
    expect(await deals.link(crmId)).toMatchObject({
      state: 'parked',
      issues: [{ code: 'several-candidates' }],
    });
    expect(await shown()).toEqual(['Parked', expect.stringContaining('ask the vendor to keep one')]);
  });
});
