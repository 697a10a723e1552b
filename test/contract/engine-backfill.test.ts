/** Years of deals brought in: the real workflow and engine on ledger and simulators, against what the plan foretold. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { BackfillOrder } from '../../src/domain/backfill/backfill.ts';
import { makePlan, type PlanSummary } from '../../src/operator/plan/make-plan.ts';
import { workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import type { BackfillStatus } from '../../workflows/messages.ts';
import type { Deals } from '../support/engine/deals.ts';
import { readOnly } from '../support/engine/operator.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const DAY_MS = 86_400_000;
const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;
let since = '';

beforeEach(async () => {
  ({ world, deals } = await openWorld());
  since = world.clock.now();
});

async function opportunity(account: string, name: string): Promise<string> {
  const id = await deals.opportunity(account, { Name: name });
  await deals.line(id, 500);
  return id;
}

type Past = {
  readonly keyed: readonly { readonly crmId: string; readonly vendorId: string }[];
  readonly named: readonly { readonly crmId: string; readonly vendorId: string }[];
  readonly unclear: readonly string[];
};

/** A month ago: deals of either side alone, deals of both, and some that cannot be distinguished. */
async function past(): Promise<Past> {
  const account = await deals.account({ Vendor_DUNS__c: '123456789' });
  const pairs = (n: number, what: string) =>
    Promise.all(
      Array.from({ length: n }, async (_, place) => {
        const name = `${what} ${place}`;
        const crmId = await opportunity(account, name);
        const own = what === 'Named' ? { name: 'Renamed', partnerLeadOpportunityId: crmId } : { name };
        return { crmId, vendorId: await deals.lead(own) };
      }),
    );
  const keyed = await pairs(3, 'Keyed');
  const named = await pairs(2, 'Named');
  for (let n = 0; n < 4; n += 1) await opportunity(account, `Only in the CRM ${n}`);
  const elsewhere = { name: 'Elsewhere', country: 'DE', dunsNumber: '555555555' };
  for (let n = 0; n < 2; n += 1) await deals.lead({ name: `Only at the vendor ${n}`, customerLegalEntity: elsewhere });
  const twins = [await opportunity(account, 'Twin'), await opportunity(account, 'Twin')];
  await deals.lead({ name: 'Twin' });
  const wanted = await opportunity(account, 'Wanted');
  for (let n = 0; n < 2; n += 1) await deals.lead({ name: 'Wanted' });
  world.clock.advance(30 * DAY_MS);
  return { keyed, named, unclear: [...twins, wanted] };
}

async function plan(): Promise<PlanSummary> {
  const ports = {
    ...readOnly(world),
    emit: () => undefined,
    pause: async (ms: number) => world.clock.advance(ms),
    now: world.clock.now,
  };
  return makePlan(ports, world.runtime.tenant, { since, mapping: null });
}

const id = () => workflowIds.backfill(world.tenant);

function begin(order: Partial<BackfillOrder> = {}): void {
  const whole: BackfillOrder = { since, from: 'both', share: 0.5, ...order };
  expect(world.scheduler.start(id(), 'backfill', { tenant: world.tenant, order: whole })).toBe(true);
}

async function ended(): Promise<BackfillStatus> {
  const untilMs = world.clock.readMs() + DAY_MS;
  while (world.scheduler.running().length > 0 && (await world.scheduler.step(untilMs))) {}
  expect(world.scheduler.failures).toEqual([]);
  return world.scheduler.takeResults().get(id()) as BackfillStatus;
}

async function counts() {
  return { leads: (await deals.leads()).length, opportunities: (await deals.opportunities()).length };
}

describe('a backfill', () => {
  it('does what the plan foretold, record for record', async () => {
    const { keyed, named, unclear } = await past();
    const { totals } = await plan();
    expect(totals.actions).toMatchObject({ 'create-at-vendor': 4, 'create-in-crm': 2, park: 6 });
    expect(totals.linkBy).toEqual({ keys: 3, reference: 2 });
    const before = await counts();
    begin();
    const status = await ended();
    expect(status).toMatchObject({ state: 'done', phase: 'over', found: 22, done: 22, fraction: 1 });
    const after = await counts();
    expect(after.leads - before.leads).toBe(totals.actions['create-at-vendor']);
    expect(after.opportunities - before.opportunities).toBe(totals.actions['create-in-crm']);
    for (const { crmId, vendorId } of [...keyed, ...named])
      expect(await deals.link(crmId)).toMatchObject({ vendorId, state: 'in-sync' });
    const { parked } = await world.ledger.countByState(world.tenant);
    expect(parked).toBe(totals.actions.park);
    for (const crmId of unclear) {
      const { issues } = await deals.link(crmId);
      expect(issues.map(({ code }) => code)).toEqual(['possible-duplicate']);
      // Both indistinguishable records are named.
      expect(issues[0]?.message.match(/LO-\d+|006\w{15}/g)?.length).toBeGreaterThanOrEqual(2);
    }
    expect(await settle(world)).toEqual([]);
    expect(await counts()).toEqual(after);
  });

  it('hands nothing over where the lane carries it, what it matches least of all', async () => {
    ({ world, deals } = await openWorld({ lane: { takes: 'all', width: 3 } }));
    const { keyed, named } = await past();
    begin();
    await ended();
    const { trail } = world.scheduler;
    expect(trail.filter((line) => line.includes('syncRecords')).length).toBeGreaterThan(0);
    expect(trail.filter((line) => /"delegated":[1-9]/.test(line))).toEqual([]);
    for (const { crmId, vendorId } of [...keyed, ...named])
      expect(await deals.link(crmId)).toMatchObject({ vendorId, state: 'in-sync' });
  });

  it('reads none again in the lane whose write had to wait for the quota', async () => {
    ({ world, deals } = await openWorld({ lane: { takes: 'all', width: 6 } }));
    await past();
    await world.vendor.quota(14, 20);
    begin();
    await ended();
    // As many reads as without a quota: 10 to match the records, and 9 to import them. If each window read them again, it would be 26.
    expect(await deals.asked('readLeadOpportunity')).toBeLessThanOrEqual(20);
  });

  it('keeps the proof of each match in the journal', async () => {
    const { keyed } = await past();
    begin();
    await ended();
    const [{ crmId, vendorId } = { crmId: '', vendorId: '' }] = keyed;
    const journal = await world.ledger.journal(world.tenant, `vendor:${vendorId}`, 100);
    const proofs = journal.filter(({ kind }) => kind === 'adoption').map(({ summary }) => summary);
    const proof = { matchedOn: 'customer, name', candidates: 1, crmId, vendorId };
    expect(proofs).toContainEqual({ ...proof, outcome: 'noted' });
    expect(proofs).toContainEqual(proof);
  });

  it('repeats no finished record wherever a worker dies, and makes nothing twice', async () => {
    await past();
    const { totals } = await plan();
    const before = await counts();
    for (const points of [30, 90, 150, 260, 400]) world.interruptions.plan(points, 'worker');
    begin();
    expect(await ended()).toMatchObject({ state: 'done', found: 22, done: 22 });
    expect(world.interruptions.losses()).toBe(5);
    const after = await counts();
    expect(after.leads - before.leads).toBe(totals.actions['create-at-vendor']);
    expect(after.opportunities - before.opportunities).toBe(totals.actions['create-in-crm']);
    expect(await deals.asked('createLeadOpportunity')).toBe(4);
  });

  it('holds back what a user edits of the past until the records of the vendor are matched', async () => {
    const { keyed } = await past();
    const [{ crmId, vendorId } = { crmId: '', vendorId: '' }] = keyed;
    begin();
    // The first readings are under way.
    await deals.time(200);
    await world.crm.edit(crmId, { Description: 'By a user' });
    const keys = await world.ledger.markDue(world.tenant, [{ crmId }], world.clock.now());
    await world.wake(keys, 'crm');
    await ended();
    expect(await deals.link(crmId)).toMatchObject({ vendorId, state: 'in-sync' });
    expect(await deals.leadNamed(crmId)).toMatchObject({ id: vendorId, description: 'By a user' });
    expect(await deals.asked('createLeadOpportunity')).toBe(4);
  });

  it('takes no more than its share of the quota', async () => {
    await past();
    await world.vendor.quota(10, 60);
    const beganMs = world.clock.readMs();
    begin({ share: 0.5 });
    await ended();
    const requests = (await world.vendor.requests()).filter(({ time }) => Date.parse(time) >= beganMs);
    const windows = (Date.parse(requests.at(-1)?.time ?? '') - beganMs) / 60_000;
    expect(requests.length).toBeGreaterThan(30);
    expect(requests.length).toBeLessThanOrEqual(5 * Math.ceil(windows + 1));
    expect(requests.filter(({ status }) => status === 429)).toEqual([]);
  });

  it('pauses, goes on and ends on a person’s word', async () => {
    await past();
    begin();
    await deals.time(400);
    world.scheduler.signal(id(), 'pauseBackfill', undefined);
    await deals.time(60_000);
    const [leads, reads] = [(await deals.leads()).length, await deals.asked('readLeadOpportunity')];
    await deals.time(600_000);
    expect([(await deals.leads()).length, await deals.asked('readLeadOpportunity')]).toEqual([leads, reads]);
    world.scheduler.signal(id(), 'resumeBackfill', undefined);
    await deals.time(2_000);
    world.scheduler.signal(id(), 'cancelBackfill', undefined);
    const status = await ended();
    expect(status.state).toBe('cancelled');
    expect(status.done).toBeLessThan(22);
    expect(await world.ledger.countBackfill(world.tenant)).toMatchObject({
      inFlight: 0,
      vendor: { found: 0 },
    });
  });

  it('of one side makes nothing on that side, and nothing that the other may be', async () => {
    await past();
    const before = await counts();
    begin({ from: 'vendor' });
    await ended();
    const between = await counts();
    expect(between).toEqual({ leads: before.leads, opportunities: before.opportunities + 2 });
    begin({ from: 'crm' });
    await ended();
    expect(await counts()).toEqual({ leads: between.leads + 4, opportunities: between.opportunities });
  });
});
