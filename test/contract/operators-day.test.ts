/** A day in an operator's life (docs/operators-day.md), by the use cases that the command line calls, on ledger and simulators. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BackfillOrder } from '../../src/domain/backfill/backfill.ts';
import type { FieldName } from '../../src/domain/record/canonical.ts';
import { explainRecord } from '../../src/operator/explain/explain-record.ts';
import { checkMapping } from '../../src/operator/mapping/check-mapping.ts';
import { linkRecords } from '../../src/operator/records/link-records.ts';
import { resolveConflict } from '../../src/operator/records/resolve-conflict.ts';
import { readInbox } from '../../src/operator/status/inbox.ts';
import { needsAttention, readStatus, type TenantStatus } from '../../src/operator/status/status.ts';
import { workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import { audited } from '../support/engine/audits.ts';
import { type Deals, dealsOf } from '../support/engine/deals.ts';
import { intakeOf, observerOf, readOnly } from '../support/engine/operator.ts';
import { ORG_WITH_OWN_MILESTONE, OWN_MILESTONE, remap } from '../support/engine/own-milestone.ts';
import { planned } from '../support/engine/plans.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';
import { openWorld, type World } from '../support/engine/world.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

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

async function status(): Promise<TenantStatus> {
  const { tenants } = await readStatus(world.ledger, [world.runtime.tenant], world.clock.now());
  const [own] = tenants;
  if (own === undefined) throw new Error('no status');
  return own;
}

const isAsking = async () => needsAttention({ tenants: [await status()], unavailable: [] });
const inbox = () => readInbox(world.ledger, world.tenant, { codes: null, limit: 10 });

async function explain(id: string) {
  const { remotes, ledger } = readOnly(world);
  const addresses = { crm: 'https://org', vendor: 'https://vendor', temporal: null };
  const own = { observer: observerOf(world), crm: remotes.crm, ledger, addresses, now: world.clock.now };
  const ports = { ...own, runs: async () => [] };
  return explainRecord(ports, world.runtime.tenant, { id, field: null, withValues: false });
}

async function backfill(fields?: readonly FieldName[]): Promise<void> {
  const id = workflowIds.backfill(world.tenant);
  const order: BackfillOrder = { since, from: 'both', share: 0.5, ...(fields && { fields }) };
  expect(world.scheduler.start(id, 'backfill', { tenant: world.tenant, order })).toBe(true);
  const untilMs = world.clock.readMs() + DAY_MS;
  while (world.scheduler.running().length > 0 && (await world.scheduler.step(untilMs))) {}
  expect(world.scheduler.takeResults().get(id)).toMatchObject({ state: 'done' });
}

async function streams(): Promise<void> {
  await deals.sweep();
  await deals.poll();
  await deals.check();
}

async function look(): Promise<void> {
  world.startStream('watchOrg');
  await deals.time(60_000);
}

/** A deal that both sides have and agree on. */
async function agreed(fields: Readonly<Record<string, unknown>> = {}) {
  const crmId = await deals.shared({ Name: 'Agreed', ...fields });
  await streams();
  return { crmId, vendorId: String((await deals.link(crmId)).vendorId) };
}

it('a tenant is connected: the plan foretells what the backfill does, and the inbox what a person has to say', async () => {
  const account = await deals.account({ Vendor_DUNS__c: '123456789' });
  const opportunity = async (Name: string) => {
    const id = await deals.opportunity(account, { Name });
    await deals.line(id, 500);
    return id;
  };
  for (const name of ['One', 'Two']) {
    await opportunity(name);
    await deals.lead({ name });
  }
  await opportunity('Ours alone');
  const [twin, other] = [await opportunity('Twin'), await opportunity('Twin')];
  const lead = await deals.lead({ name: 'Twin' });
  world.clock.advance(30 * DAY_MS);

  const { totals, cost } = (await planned(world, { since })).summary;
  expect(totals).toMatchObject({ linkBy: { keys: 2 }, actions: { 'create-at-vendor': 1, park: 3 } });
  expect(cost.vendorCalls).toBeGreaterThanOrEqual(totals.matched.records);
  const before = (await deals.leads()).length;
  await backfill();
  expect((await deals.leads()).length - before).toBe(1);
  expect((await status()).records).toMatchObject({ parked: 3 });
  const { causes } = await inbox();
  expect(causes).toMatchObject([
    { code: 'possible-duplicate', records: 2 },
    { code: 'several-candidates', records: 1 },
  ]);
  for (const { repair } of causes) expect(repair).toContain('lockstep link');

  const remote = { opportunity: async () => ({ Vendor_Share__c: true }), hasVendorRecord: async () => true };
  const ports = { ledger: world.ledger, intake: intakeOf(world), remote };
  await linkRecords(ports, world.tenant, { crmId: twin, vendorId: lead }, null, world.clock.now());
  await deals.time(60_000);
  expect(await deals.link(twin)).toMatchObject({ vendorId: lead, state: 'in-sync' });
  expect(await deals.link(other)).toMatchObject({ state: 'in-sync' });
  expect((await inbox()).causes).toEqual([]);
});

it('a stage is renamed: status says so before a deal fails on it, with what to do', async () => {
  await agreed();
  await look();
  expect(await isAsking()).toBe(false);
  await world.crm.renameValue('Opportunity.StageName', 'Closed Won', 'Won');
  await look();
  const { org } = await status();
  expect(await isAsking()).toBe(true);
  expect(org?.changes.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['Opportunity.StageName lost the value Closed Won']),
  );
  expect(org?.problems).toContainEqual({
    verdict: 'fails',
    what: expect.stringContaining('no active stage Closed Won, to which the vendor’s status moves deals'),
    repair: 'add it to StageName, or give the row the name that the org has',
  });
  const stages = world.runtime.tenant.mapping.stages.map((row) =>
    row.stage === 'Closed Won' ? { ...row, stage: 'Won' } : row,
  );
  const { tenant, crm } = world.runtime;
  const file = () => ({ file: 'acme.mapping.yaml', line: 1 });
  const mapping = { ...tenant.mapping, stages };
  const { problems } = await checkMapping({ crm }, { ...tenant, mapping }, file);
  expect(problems.filter(({ verdict }) => verdict === 'fails')).toEqual([]);
  remap(world, { stages });
  await look();
  expect(await isAsking()).toBe(false);
});

it('the key expires: what is paused and what opens it is reported, and what waited goes through by itself', async () => {
  const { crmId } = await agreed();
  await world.vendor.fault({ status: 401 });
  await world.crm.edit(crmId, { Description: 'Meanwhile' });
  await deals.sweep();
  const { paused } = await status();
  expect(paused).toMatchObject([{ group: 'vendor-sales', opens: expect.stringContaining('lockstep keys status') }]);
  expect(await isAsking()).toBe(true);
  const { gates, notObserved } = await explain(crmId);
  expect(notObserved).not.toBeNull();
  expect(gates).toContainEqual(
    expect.objectContaining({ gate: 'pause', opens: expect.stringContaining('lockstep keys status') }),
  );
  await world.vendor.clearFaults();
  await deals.time(600_000);
  expect((await status()).paused).toEqual([]);
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'Meanwhile' });
});

it('both sides edit one field: the conflict waits with both choices, and a word ends it', async () => {
  remap(world, { rules: { description: 'manual' } });
  const { crmId, vendorId } = await agreed();
  await deals.time(2_000);
  await world.crm.edit(crmId, { Description: 'Ours' });
  await world.vendor.edit(vendorId, { description: 'Theirs' });
  await deals.poll();
  expect((await inbox()).causes).toMatchObject([{ code: 'conflict', records: 1 }]);
  const { gates, sentence } = await explain(vendorId);
  expect(gates.some(({ needsSomebody, field }) => needsSomebody && field === 'description')).toBe(true);
  expect(JSON.stringify([gates, sentence])).toContain(`lockstep conflicts resolve`);
  const ports = {
    ...{ ledger: world.ledger, intake: intakeOf(world), mapping: {}, pause: async () => {} },
    setInCrm: async () => undefined,
  };
  const order = { id: crmId, field: 'description', take: 'vendor', waitMs: 0 } as const;
  await resolveConflict(ports, world.tenant, order, world.clock.now());
  await deals.time(60_000);
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Description: 'Theirs' });
  expect(await isAsking()).toBe(false);
});

it('a mapping gets a field: its check, its plan and a backfill of that field', async () => {
  const { crmId } = await agreed({ Our_Milestone__c: 'Pilot', Vendor_Next_Milestone__c: 'Usual' });
  const { tenant, crm } = world.runtime;
  const mapping = { ...tenant.mapping, fields: OWN_MILESTONE, rules: { nextMilestone: 'crm' } } as const;
  const file = () => ({ file: 'acme.mapping.yaml', line: 1 });
  const wrong = { ...mapping, fields: { nextMilestone: { crm: 'Our_Milestones__c' } } };
  const { problems } = await checkMapping({ crm }, { ...tenant, mapping: wrong }, file);
  expect(problems).toContainEqual(
    expect.objectContaining({ verdict: 'fails', at: 'fields.nextMilestone.crm', repair: expect.any(String) }),
  );
  const { records } = await planned(world, { since, mapping });
  expect(records).toMatchObject([{ crmId, fields: [{ field: 'nextMilestone', way: 'to-vendor' }] }]);
  remap(world, mapping);
  await backfill(['nextMilestone']);
  expect(await deals.leadNamed(crmId)).toMatchObject({ nextMilestone: 'Pilot' });
  expect((await planned(world, { since })).records.flatMap(({ fields }) => fields)).toEqual([]);
});

it('a change that no message, sweep or poll has shown: the audit finds it, says why, and has it through', async () => {
  const { crmId, vendorId } = await agreed();
  world.clock.advance(6 * HOUR_MS);
  await streams();
  const anHourAgo = new Date(world.clock.readMs() - HOUR_MS).toISOString();
  await world.vendor.edit(vendorId, { description: 'Late' }, anHourAgo);
  await streams();
  expect(await deals.row('Opportunity', crmId)).not.toMatchObject({ Description: 'Late' });
  expect(await explain(crmId)).toMatchObject({
    gates: [expect.objectContaining({ gate: 'not-yet-seen', opens: expect.stringMatching(/lockstep sync/) })],
  });
  const result = await audited(world, deals);
  expect(result).toMatchObject({ differing: 1, repaired: 1 });
  expect(JSON.stringify(result)).toContain('vendor-change-unseen');
  expect((await status()).drift).toMatchObject({ records: 1, repaired: 1 });
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Description: 'Late' });
  expect(await audited(world, deals)).toMatchObject({ differing: 0 });
});
