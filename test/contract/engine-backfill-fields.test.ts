/** A backfill of one field, after a change of the mapping. The real workflow and engine on ledger and simulators. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BackfillOrder, firstState } from '../../src/domain/backfill/backfill.ts';
import type { Base } from '../../src/domain/record/base.ts';
import type { FieldName } from '../../src/domain/record/canonical.ts';
import type { PlannedChange, PlanOrder } from '../../src/operator/plan/make-plan.ts';
import { workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import type { BackfillStatus } from '../../workflows/messages.ts';
import { type Deals, dealsOf } from '../support/engine/deals.ts';
import { ORG_WITH_OWN_MILESTONE, OWN_MILESTONE, remap } from '../support/engine/own-milestone.ts';
import { planned } from '../support/engine/plans.ts';
import { settle } from '../support/engine/settle.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';
import { openWorld, type World } from '../support/engine/world.ts';

const DAY_MS = 86_400_000;

const testBed = withTestBed(workflows, ORG_WITH_OWN_MILESTONE);
let world: World;
let deals: Deals;
let since = '';

beforeEach(async () => {
  world = await openWorld(testBed(), {
    ...{ arrays: 'replace', seed: 1, prefer: 'crm' },
    alsoMapped: [{ fields: OWN_MILESTONE }],
  });
  deals = dealsOf(world);
  since = world.clock.now();
});

afterEach(async () => {
  await world.close();
  expect(await world.violations()).toEqual([]);
});

async function deal(fields: Readonly<Record<string, unknown>>): Promise<string> {
  const crmId = await deals.opportunity(await deals.account(), fields);
  await deals.line(crmId, 500);
  return crmId;
}

async function backfill(...fields: readonly FieldName[]): Promise<BackfillStatus> {
  const id = workflowIds.backfill(world.tenant);
  const order: BackfillOrder = { since, from: 'both', share: 0.5, fields };
  expect(world.scheduler.start(id, 'backfill', { tenant: world.tenant, order })).toBe(true);
  const untilMs = world.clock.readMs() + DAY_MS;
  while (world.scheduler.running().length > 0 && (await world.scheduler.step(untilMs))) {}
  expect(world.scheduler.failures).toEqual([]);
  return world.scheduler.takeResults().get(id) as BackfillStatus;
}

async function fieldsPlanned(order: Partial<PlanOrder>): Promise<readonly PlannedChange[]> {
  const { records } = await planned(world, { since, ...order });
  return records.filter(({ fields }) => fields.length > 0);
}

/** What the two sides agreed on in all fields but one. */
async function othersAgreed(crmId: string, field: FieldName): Promise<Pick<Base, 'crm' | 'vendor'>> {
  const { base } = await deals.link(crmId);
  const { [field]: _, ...crm } = base?.crm ?? {};
  const { [field]: __, ...vendor } = base?.vendor ?? {};
  return { crm, vendor };
}

/** A deal whose milestone the vendor's people edited while it travelled to the vendor alone; it travels both ways by now. */
async function editedWhileOneWay(): Promise<string> {
  remap(world, { directions: { nextMilestone: 'to-vendor' }, rules: { nextMilestone: 'vendor' } });
  const crmId = await deal({ Vendor_Next_Milestone__c: 'Ours' });
  expect(await settle(world)).toEqual([]);
  const lead = await deals.leadNamed(crmId);
  await world.vendor.edit(String(lead?.['id']), { nextMilestone: 'Theirs' });
  await deals.poll();
  remap(world, { directions: {} });
  return crmId;
}

it('brings a field that moved in line as its plan foretold, and nothing else', async () => {
  const filled = await deal({ Our_Milestone__c: 'Pilot', Vendor_Next_Milestone__c: 'Usual' });
  const empty = await deal({ Vendor_Next_Milestone__c: 'Usual' });
  expect(await settle(world)).toEqual([]);
  const never = await deal({ Name: 'Never looked at' });
  const agreed = await othersAgreed(filled, 'nextMilestone');
  const mapping = { fields: OWN_MILESTONE, rules: { nextMilestone: 'crm' } } as const;
  const result = await fieldsPlanned({ mapping: { ...world.runtime.tenant.mapping, ...mapping } });
  remap(world, mapping);
  const status = await backfill('nextMilestone');
  expect(status).toMatchObject({ state: 'done', outcomes: { 'not-linked': 1 } });
  expect(await deals.leadNamed(filled)).toMatchObject({ nextMilestone: 'Pilot' });
  expect(await deals.row('Opportunity', empty)).toMatchObject({ Our_Milestone__c: 'Usual' });
  expect(await deals.row('Opportunity', filled)).toMatchObject({ Vendor_Next_Milestone__c: 'Usual' });
  expect(await othersAgreed(filled, 'nextMilestone')).toEqual(agreed);
  expect(await deals.leadNamed(never)).toBeUndefined();
  expect(result.map(({ crmId, fields }) => [crmId, fields.map(({ field, way }) => `${field} ${way}`)])).toEqual(
    expect.arrayContaining([
      [filled, ['nextMilestone to-vendor']],
      [empty, ['nextMilestone to-crm']],
    ]),
  );
  expect(await fieldsPlanned({ fields: ['nextMilestone'] })).toEqual([]);
});

it('does it once for each record, wherever a worker dies', async () => {
  const ids = [await deal({ Our_Milestone__c: 'A' }), await deal({ Our_Milestone__c: 'B' })];
  expect(await settle(world)).toEqual([]);
  remap(world, { fields: OWN_MILESTONE, rules: { nextMilestone: 'crm' } });
  const written = await deals.vendorWrites();
  for (const points of [20, 45, 70]) world.interruptions.plan(points, 'worker');
  expect(await backfill('nextMilestone')).toMatchObject({ state: 'done', done: 4 });
  expect(world.interruptions.losses()).toBe(3);
  const leads = await Promise.all(ids.map((id) => deals.leadNamed(id)));
  expect(leads.map((lead) => lead?.['nextMilestone'])).toEqual(['A', 'B']);
  expect(await deals.vendorWrites()).toBe(written + 2);
});

it('has the sides meet again in a field that travels both ways since, and lets an edit of another travel as ever', async () => {
  const crmId = await editedWhileOneWay();
  await deals.sweep();
  await world.crm.edit(crmId, { Description: 'By a user' });
  expect(await fieldsPlanned({ fields: ['nextMilestone'] })).toMatchObject([
    {
      crmId,
      fields: expect.arrayContaining([expect.objectContaining({ field: 'nextMilestone', way: 'to-crm' })]),
    },
  ]);
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Next_Milestone__c: 'Ours' });
  expect(await backfill('nextMilestone')).toMatchObject({ state: 'done', found: 2, done: 2 });
  expect(await deals.row('Opportunity', crmId)).toMatchObject({
    Vendor_Next_Milestone__c: 'Theirs',
    Description: 'By a user',
  });
  expect(await deals.leadNamed(crmId)).toMatchObject({ nextMilestone: 'Theirs', description: 'By a user' });
  const { base, issues } = await deals.link(crmId);
  expect([base?.resyncFields, issues]).toEqual([undefined, []]);
});

it('foretells under a mapping that is not in force yet what its backfill then does', async () => {
  const oneWay = { directions: { nextMilestone: 'to-vendor' }, rules: { nextMilestone: 'vendor' } } as const;
  const crmId = await editedWhileOneWay();
  await deals.sweep();
  const bothWays = world.runtime.tenant.mapping;
  remap(world, oneWay);
  const alone = await planned(world, { since, mapping: bothWays });
  expect([alone.summary.totals.records, alone.summary.turned]).toEqual([0, ['nextMilestone']]);
  const result = await planned(world, { since, mapping: bothWays, fields: ['nextMilestone'] });
  expect(result.records).toMatchObject([{ crmId, fields: [{ field: 'nextMilestone', way: 'to-crm' }] }]);
  expect(result.summary.turned).toEqual([]);
  remap(world, { directions: {} });
  const inForce = await planned(world, { since, mapping: bothWays, fields: ['nextMilestone'] });
  expect(inForce.records).toEqual(result.records);
  await backfill('nextMilestone');
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Next_Milestone__c: 'Theirs' });
});

it('waits with a record of which something is under way, and then has it meet again', async () => {
  const crmId = await editedWhileOneWay();
  await world.crm.edit(crmId, { Description: 'By a user' });
  const keys = await world.ledger.markDue(world.tenant, [{ crmId }], world.clock.now());
  const order: BackfillOrder = { since, from: 'both', share: 0.5, fields: ['nextMilestone'] };
  const state = firstState('run', order, world.clock.now());
  await world.ledger.openBackfill(world.tenant, state, world.clock.now());
  const found = { side: 'crm', ids: [crmId] } as const;
  await world.ledger.noteFound(world.tenant, found, state, world.clock.now());
  const take = { side: 'crm', atOnce: 10, share: 0.5, fields: ['nextMilestone'] } as const;
  expect(await world.ledger.advanceBackfill(world.tenant, take, world.clock.now())).toEqual([]);
  await world.wake(keys, 'crm');
  await deals.time(60_000);
  expect(await world.ledger.advanceBackfill(world.tenant, take, world.clock.now())).toMatchObject([{}]);
  expect((await deals.link(crmId)).base).toMatchObject({ resyncFields: ['nextMilestone'] });
});
