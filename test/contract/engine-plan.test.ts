/** What would be done, foretold: the real decision over both simulators by reads alone, then the real engine. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PlanOrder } from '../../src/operator/plan/make-plan.ts';
import { planRecord } from '../../src/operator/plan/plan-record.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { observerOf, readOnly } from '../support/engine/operator.ts';
import { type Planned, planned } from '../support/engine/plans.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

const plan = (change: Partial<PlanOrder> = {}): Promise<Planned> => planned(world, change);

const ofCrm = ({ records }: Planned, crmId: string) => records.filter((record) => record.crmId === crmId);
const ofVendor = ({ records }: Planned, vendorId: string) =>
  records.filter((record) => record.vendorId === vendorId);

async function everything(): Promise<unknown> {
  return {
    leads: await deals.leads(),
    opportunities: await deals.opportunities(),
    links: await world.ledger.listLinks(world.tenant, { limit: 1000 }),
    writes: await deals.vendorWrites(),
  };
}

describe('a plan before the first connection', () => {
  it('tells of each record what would be made where, linked by which proof, or why it waits', async () => {
    const known = await deals.account({ Vendor_DUNS__c: '123456789' });
    const other = await deals.account({ Name: 'Other', Vendor_DUNS__c: '987654321' });
    const keyed = await deals.opportunity(known, { Description: 'From the CRM' });
    const keyedLead = await deals.lead({ nextMilestone: 'From the vendor' });
    const fresh = await deals.opportunity(other, { Name: 'Only in the CRM' });
    await deals.line(fresh, 500);
    const poor = await deals.opportunity(other, { Name: 'Without a line' });
    const named = await deals.opportunity(other, { Name: 'Named by the vendor' });
    await deals.line(named, 500);
    const namedLead = await deals.lead({ name: 'Renamed', partnerLeadOpportunityId: named });
    const foreign = await deals.lead({
      name: 'Only at the vendor',
      customerLegalEntity: { name: 'Elsewhere', country: 'DE', dunsNumber: '555555555' },
    });
    const before = await everything();
    const made = await plan();
    expect(await everything()).toEqual(before);
    expect(ofCrm(made, keyed)).toMatchObject([
      { vendorId: keyedLead, linkBy: 'keys', action: 'update-both' },
    ]);
    expect(ofCrm(made, named)).toMatchObject([{ vendorId: namedLead, linkBy: 'reference' }]);
    expect(ofCrm(made, fresh)).toMatchObject([{ vendorId: null, linkBy: null, action: 'create-at-vendor' }]);
    expect(ofCrm(made, poor)).toMatchObject([
      { action: 'park', issues: [{ code: 'required-on-create', field: 'offerLines' }] },
    ]);
    expect(ofVendor(made, foreign)).toMatchObject([{ crmId: null, action: 'create-in-crm' }]);
    expect(made.records).toHaveLength(5);
    expect(made.summary.totals.records).toBe(5);
    expect(made.summary.totals.linkBy).toEqual({ keys: 1, reference: 1 });
  });

  it('foretells how many records the engine then makes on each side, and how many it links', async () => {
    const accounts = [
      await deals.account({ Vendor_DUNS__c: '123456789' }),
      await deals.account({ Name: 'Other', Vendor_DUNS__c: '987654321' }),
    ];
    for (let n = 0; n < 4; n += 1) {
      const id = await deals.opportunity(accounts[1] ?? '', { Name: `CRM ${n}` });
      await deals.line(id, 100 + n);
    }
    await deals.opportunity(accounts[0] ?? '');
    await deals.lead();
    for (let n = 0; n < 3; n += 1)
      await deals.lead({
        name: `Vendor ${n}`,
        customerLegalEntity: { name: 'Elsewhere', country: 'DE', dunsNumber: '555555555' },
      });
    const before = {
      leads: (await deals.leads()).length,
      opportunities: (await deals.opportunities()).length,
    };
    const { totals } = (await plan()).summary;
    await deals.poll();
    expect(await settle(world)).toEqual([]);
    const made = {
      'create-at-vendor': (await deals.leads()).length - before.leads,
      'create-in-crm': (await deals.opportunities()).length - before.opportunities,
    };
    expect(made).toEqual({ 'create-at-vendor': 4, 'create-in-crm': 3 });
    expect(totals.actions).toMatchObject(made);
    expect(totals.linkBy).toEqual({ keys: 1 });
    expect(await world.ledger.countByState(world.tenant)).toEqual({ 'in-sync': 8 });
  });

  it('parks what several opportunities may be, and makes none of them', async () => {
    const account = await deals.account({ Vendor_DUNS__c: '123456789' });
    const ids = [await deals.opportunity(account), await deals.opportunity(account)];
    for (const id of ids) await deals.line(id, 500);
    const lead = await deals.lead();
    const made = await plan();
    expect(ofVendor(made, lead)).toMatchObject([
      { action: 'park', issues: [{ code: 'several-candidates' }] },
    ]);
    for (const id of ids)
      expect(ofCrm(made, id)).toMatchObject([{ action: 'park', issues: [{ code: 'possible-duplicate' }] }]);
    expect(made.summary.totals.actions).toEqual({ park: 3 });
  });

  it('parks an opportunity that several vendor records may be, and each of them', async () => {
    const account = await deals.account({ Vendor_DUNS__c: '123456789' });
    const crmId = await deals.opportunity(account);
    await deals.line(crmId, 500);
    const leads = [await deals.lead(), await deals.lead()];
    const made = await plan();
    for (const lead of leads)
      expect(ofVendor(made, lead)).toMatchObject([
        { crmId: null, action: 'park', issues: [{ code: 'possible-duplicate' }] },
      ]);
    expect(ofCrm(made, crmId)).toMatchObject([{ action: 'park', issues: [{ code: 'possible-duplicate' }] }]);
    expect(made.summary.totals).toMatchObject({ actions: { park: 3 }, linkBy: {} });
  });
});

describe('a plan of linked records', () => {
  let crmId = '';
  let vendorId = '';

  beforeEach(async () => {
    crmId = await deals.opportunity(await deals.account());
    await deals.line(crmId, 500);
    await deals.poll();
    expect(await settle(world)).toEqual([]);
    vendorId = String((await deals.link(crmId)).vendorId);
  });

  it('tells which fields go which way by which rule, and what agrees', async () => {
    expect((await plan()).summary.totals.actions).toEqual({ nothing: 1 });
    await deals.time(5_000);
    await world.crm.edit(crmId, { Description: 'By the CRM' });
    await world.vendor.edit(vendorId, { nextMilestone: 'By the vendor' });
    expect(ofCrm(await plan(), crmId)).toMatchObject([
      {
        action: 'update-both',
        linkBy: null,
        fields: [
          { field: 'description', way: 'to-vendor', rule: 'changed in the CRM' },
          { field: 'nextMilestone', way: 'to-crm', rule: 'changed at the vendor' },
        ],
      },
    ]);
  });

  it('reads no record at the vendor that no search shows as changed since it was read', async () => {
    await deals.time(900_000);
    await deals.poll();
    await deals.time(900_000);
    await deals.poll();
    await world.crm.edit(crmId, { Description: 'By the CRM' });
    const reads = async () =>
      (await world.vendor.requests()).filter(({ operation }) => operation === 'readLeadOpportunity').length;
    const before = await reads();
    const since = new Date(world.clock.readMs() - 60_000).toISOString();
    const made = await plan({ since });
    expect(ofCrm(made, crmId)).toMatchObject([{ action: 'update-at-vendor' }]);
    expect(await reads()).toBe(before);
  });

  it('tells what another mapping would change, and nothing else', async () => {
    await deals.time(5_000);
    const second = await deals.opportunity(await deals.account({ Name: 'Other' }), { Name: 'As before' });
    await deals.line(second, 100);
    await world.crm.edit(crmId, { Description: 'By the CRM' });
    await world.vendor.edit(vendorId, { description: 'By the vendor' });
    const { mapping } = world.runtime.tenant;
    const made = await plan({ mapping: { ...mapping, rules: { description: 'manual' } } });
    expect(made.records).toMatchObject([
      { crmId, action: 'conflict', before: { action: 'update-at-vendor' } },
    ]);
    expect(made.summary.totals.records).toBe(1);
  });

  it('foretells one record by any of its ids', async () => {
    await deals.time(5_000);
    await world.crm.edit(crmId, { Description: 'By the CRM' });
    const ports = { observer: observerOf(world), ledger: readOnly(world).ledger, now: world.clock.now };
    for (const id of [crmId, vendorId])
      expect(await planRecord(ports, world.tenant, id)).toMatchObject({ crmId, action: 'update-at-vendor' });
    await expect(planRecord(ports, world.tenant, 'LO-9999')).rejects.toThrow('neither side shows it');
  });

  it('waits for the quota, and goes on', async () => {
    for (let n = 0; n < 3; n += 1) await deals.lead({ name: `Vendor ${n}` });
    await world.vendor.quota(2, 10);
    const beganMs = world.clock.readMs();
    const made = await plan();
    // A search and four readings, two in ten seconds.
    expect(world.clock.readMs() - beganMs).toBeGreaterThan(20_000);
    expect(made.summary.totals.actions).not.toHaveProperty('unknown');
    expect(made.summary.totals.records).toBe(4);
  });
});
