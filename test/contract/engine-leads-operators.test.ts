/** What operators see and start for tenants with leads: plan, explain, backfill and audit. On ledger and simulators. */
import { beforeEach, expect, it } from 'vitest';
import type { BackfillOrder } from '../../src/domain/backfill/backfill.ts';
import { planRecord } from '../../src/operator/plan/plan-record.ts';
import { workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import { audited } from '../support/engine/audits.ts';
import type { Deals } from '../support/engine/deals.ts';
import { observerOf, readOnly } from '../support/engine/operator.ts';
import { planned } from '../support/engine/plans.ts';
import { settle } from '../support/engine/settle.ts';
import { sharedLead } from '../support/engine/shared-lead.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const DAY_MS = 86_400_000;
const open = withWorlds(workflows);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await open({ leads: {} }));
});

async function settled(): Promise<void> {
  await deals.sweep();
  expect(await settle(world)).toEqual([]);
}

async function backfilled(since: string): Promise<void> {
  const order: BackfillOrder = { since, from: 'both', share: 0.5 };
  const id = workflowIds.backfill(world.tenant);
  expect(world.scheduler.start(id, 'backfill', { tenant: world.tenant, order })).toBe(true);
  const untilMs = world.clock.readMs() + DAY_MS;
  while (world.scheduler.running().length > 0 && (await world.scheduler.step(untilMs))) {}
  expect(world.scheduler.failures).toEqual([]);
  expect(world.scheduler.running()).toEqual([]);
}

it('a plan names shared leads beside opportunities, and what a lead lacks', async () => {
  const [complete, incomplete] = [await sharedLead(world), await sharedLead(world, { Vendor_Close_Date__c: null })];
  const opportunityId = await deals.shared();
  const { records, summary } = await planned(world);
  const of = (id: string) => records.filter(({ crmId }) => crmId === id);
  expect([complete, opportunityId].map((id) => of(id).map(({ action }) => action))).toEqual([
    ['create-at-vendor'],
    ['create-at-vendor'],
  ]);
  expect(of(incomplete)[0]?.issues).toEqual([{ code: 'required-on-create', field: 'closeDate' }]);
  expect(summary.asked.crmPages).toBe(1);
  expect(await deals.leads()).toEqual([]);
});

it('a plan foretells that a converted lead’s deal goes on with its opportunity, from either end', async () => {
  const leadId = await sharedLead(world);
  await settled();
  const [record] = await deals.leads();
  const opportunityId = String(await world.convert(leadId));
  const { records } = await planned(world);
  expect(records.filter(({ action }) => action === 'create-at-vendor')).toEqual([]);
  expect(records.map(({ crmId, vendorId }) => [crmId, vendorId])).toEqual([[opportunityId, record?.['id']]]);
  for (const id of [leadId, opportunityId]) {
    const ports = { observer: observerOf(world), ledger: readOnly(world).ledger, now: world.clock.now };
    expect(await planRecord(ports, world.tenant, id)).toMatchObject({
      crmId: opportunityId,
      vendorId: record?.['id'],
    });
  }
  expect(await deals.link(leadId)).toMatchObject({ crmId: leadId });
});

it('a converted deal is searched for by the reference of its former lead', async () => {
  const leadId = await sharedLead(world);
  await settled();
  const opportunityId = String(await world.convert(leadId));
  await settled();
  await world.vendor.remove(String((await deals.leads())[0]?.['id']));
  const before = (await world.vendor.requests()).length;
  await observerOf(world).observeDeal(await deals.link(opportunityId));
  const asked = JSON.stringify((await world.vendor.requests()).slice(before).map(({ body }) => body));
  expect(asked).toContain(leadId);
  expect(asked).toContain(opportunityId);
});

it('a backfill brings in shared leads of the past', async () => {
  const since = world.clock.now();
  const leadId = await sharedLead(world);
  const opportunityId = await deals.shared();
  await world.crm.create('Lead', { LastName: 'Alone', Company: 'Not shared' });
  world.clock.advance(30 * DAY_MS);
  await backfilled(since);
  const references = (await deals.leads()).map((record) => record['partnerLeadOpportunityId']);
  expect(references.toSorted()).toEqual([opportunityId, leadId].toSorted());
});

it('a backfill ends, whatever became of the leads that it has found', async () => {
  const since = world.clock.now();
  const [converted, merged, winner] = [await sharedLead(world), await sharedLead(world), await sharedLead(world)];
  await settled();
  await world.convert(converted);
  await settled();
  await world.crm.create('Lead', { LastName: 'New', Company: 'New', Vendor_Share__c: true });
  await world.crm.merge(winner, merged);
  await backfilled(since);
});

it('an audit finds nothing wrong with a lead on which both sides agree', async () => {
  const leadId = await sharedLead(world);
  await settled();
  await world.crm.edit(leadId, { Status: 'Working - Contacted' });
  await settled();
  world.clock.advance(DAY_MS / 4);
  await deals.sweep();
  await deals.poll();
  const { pairs, differing } = await audited(world, deals);
  expect({ pairs, differing }).toEqual({ pairs: 1, differing: 0 });
});
