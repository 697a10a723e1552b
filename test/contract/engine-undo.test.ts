/** An undo gives past values back. The real workflow and engine on ledger and simulators. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UndoRunOrder } from '../../src/domain/backfill/undo-run.ts';
import type { UndoScope } from '../../src/domain/decide/past-writes.ts';
import type { FieldName } from '../../src/domain/record/canonical.ts';
import { workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import type { UndoStatus } from '../../workflows/messages.ts';
import { type Deals, dealsOf } from '../support/engine/deals.ts';
import { remap } from '../support/engine/own-milestone.ts';
import { settle } from '../support/engine/settle.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';
import { openWorld, type World } from '../support/engine/world.ts';

const DAY_MS = 86_400_000;

const testBed = withTestBed(workflows);
let world: World;
let deals: Deals;
let crmId = '';

beforeEach(async () => {
  world = await openWorld(testBed(), { arrays: 'replace', seed: 1, prefer: 'crm' });
  deals = dealsOf(world);
  crmId = await deals.shared({ Description: 'first' });
  expect(await settle(world)).toEqual([]);
  await deals.time(120_000);
});

afterEach(async () => {
  await world.close();
  expect(await world.violations()).toEqual([]);
});

async function undo(scope: UndoScope = { of: 'last' }, fields?: readonly FieldName[]): Promise<UndoStatus> {
  const id = workflowIds.undo(world.tenant);
  const only = fields === undefined ? {} : { fields };
  const key = scope.of === 'last' ? crmId : null;
  const order: UndoRunOrder = { scope, key, share: 0.5, ...only };
  expect(world.scheduler.start(id, 'undo', { tenant: world.tenant, order })).toBe(true);
  const untilMs = world.clock.readMs() + DAY_MS;
  while (world.scheduler.running().length > 0 && (await world.scheduler.step(untilMs))) {}
  expect(world.scheduler.failures).toEqual([]);
  return world.scheduler.takeResults().get(id) as UndoStatus;
}

const inCrm = async (field: string) => (await deals.row('Opportunity', crmId))[field];
const atVendor = async (field: string) => (await deals.leadNamed(crmId))?.[field];
const both = async () => [await inCrm('Description'), await atVendor('description')];

async function edited(description: string): Promise<void> {
  await world.crm.edit(crmId, { Description: description });
  await deals.sweep();
  await deals.time(120_000);
}

async function editedAtVendor(description: string): Promise<void> {
  await deals.editAtVendor(crmId, { description });
  await deals.poll();
  await deals.time(120_000);
}

it('takes back the last change on both sides, notes it, and can itself be taken back', async () => {
  await edited('second');
  const status = await undo();
  expect(await both()).toEqual(['first', 'first']);
  expect(status).toMatchObject({ state: 'done', values: { back: 1, left: 0, waits: 0 }, outcomes: { 'in-sync': 1 } });
  const lines = await world.ledger.journal(world.tenant, crmId, 20);
  expect(lines.find(({ kind }) => kind === 'undo')?.summary).toEqual({
    of: 'last change',
    fields: 'description',
  });
  expect(
    lines
      .flatMap(({ kind, decisions }) => (kind === 'remote-write' ? decisions : []))
      .map(({ verdict }) => verdict)
      .slice(0, 2),
  ).toEqual(['undone-in-crm', 'undone-at-vendor']);
  await undo();
  expect(await both()).toEqual(['second', 'second']);
  expect((await deals.link(crmId)).base?.goingBack).toBeUndefined();
});

it('takes back what the vendor changed', async () => {
  await editedAtVendor('theirs');
  await undo();
  expect(await both()).toEqual(['first', 'first']);
});

it('leaves a value that a user changed since, and says so', async () => {
  await edited('second');
  await edited('third');
  const since = world.clock.now();
  await world.crm.edit(crmId, { Description: 'fourth' });
  const status = await undo();
  expect(await both()).toEqual(['fourth', 'fourth']);
  expect(status.state).toBe('done');
  expect((await undo({ of: 'since', since })).values).toMatchObject({ back: 1 });
  expect(await both()).toEqual(['third', 'third']);
});

it('goes back over several changes to the value before the first', async () => {
  const since = world.clock.now();
  await edited('second');
  await editedAtVendor('third');
  await edited('fourth');
  await undo({ of: 'since', since });
  expect(await both()).toEqual(['first', 'first']);
});

it('gives each side its own value back if a rule had overruled one, and leaves both so', async () => {
  await deals.editAtVendor(crmId, { description: 'theirs' });
  await world.crm.edit(crmId, { Description: 'ours' });
  await deals.sweep();
  await deals.poll();
  await deals.time(120_000);
  expect(await both()).toEqual(['ours', 'ours']);
  await undo();
  expect(await both()).toEqual(['ours', 'theirs']);
  await deals.sweep();
  await deals.poll();
  await deals.time(DAY_MS);
  expect(await both()).toEqual(['ours', 'theirs']);
  await edited('again');
  expect(await both()).toEqual(['again', 'again']);
});

it('touches only the fields that were asked for', async () => {
  await world.crm.edit(crmId, { Description: 'second', Name: 'Renamed' });
  await deals.sweep();
  await deals.time(120_000);
  await undo({ of: 'last' }, ['name']);
  expect([await inCrm('Name'), ...(await both())]).toEqual(['Core switches', 'second', 'second']);
});

it('brings back lines with their amounts, under new ids', async () => {
  const [line] = (await world.crm.list('OpportunityLineItem')).filter((row) => row['OpportunityId'] === crmId);
  await deals.line(crmId, 700, 1);
  await world.crm.edit(String(line?.['Id']), { TotalPrice: 900 });
  await deals.sweep();
  await deals.time(120_000);
  expect((await atVendor('offerLines')) as unknown[]).toHaveLength(2);
  await undo();
  const rows = (await world.crm.list('OpportunityLineItem')).filter(
    (row) => row['OpportunityId'] === crmId && row['IsDeleted'] !== true,
  );
  expect(rows.map((row) => row['TotalPrice'])).toEqual([500]);
  expect(((await atVendor('offerLines')) as { amount: unknown }[]).map(({ amount }) => Number(amount))).toEqual([500]);
});

it('deletes no record that Lockstep created', async () => {
  const other = await deals.shared();
  await deals.sweep();
  await deals.time(120_000);
  const status = await undo({ of: 'since', since: '2020-01-01T00:00:00.000Z' });
  expect(status.outcomes).toEqual({ nothing: 2 });
  expect(await deals.leadNamed(other)).toBeDefined();
});

/** How often a description was written to the vendor, and to the org. */
async function sentOf(description: string): Promise<readonly [vendor: number, crm: number]> {
  const count = (all: readonly { readonly operation: string; readonly body: unknown }[], pattern: RegExp) =>
    all.filter((one) => pattern.test(one.operation) && JSON.stringify(one.body ?? null).includes(`"${description}"`));
  return [
    count(await world.vendor.requests(), /^updateLeadOpportunity$/).length,
    count(await world.crm.requests(), /^(?!query)/).length,
  ];
}

it('goes on wherever its worker dies, and writes nothing twice', async () => {
  let point = 0;
  for (let wasLost = true; wasLost; ) {
    point += 1;
    await edited(`before ${point}`);
    await edited(`after ${point}`);
    const [toVendor, toCrm] = await sentOf(`before ${point}`);
    const losses = world.interruptions.losses();
    world.interruptions.plan(point, 'worker');
    const status = await undo();
    expect([point, status.state, ...(await both())]).toEqual([point, 'done', `before ${point}`, `before ${point}`]);
    expect([point, ...(await sentOf(`before ${point}`))]).toEqual([point, toVendor + 1, toCrm + 1]);
    wasLost = world.interruptions.losses() > losses;
    world.interruptions.clear();
  }
  expect(point).toBeGreaterThan(20);
}, 120_000);

it('takes back the writes of one backfill, and no other', async () => {
  remap(world, { directions: { description: 'to-vendor' }, rules: { description: 'vendor' } });
  await deals.editAtVendor(crmId, { description: 'theirs' });
  await deals.poll();
  await deals.time(120_000);
  remap(world, { directions: {}, rules: { description: 'crm' } });
  const order = { since: '2020-01-01T00:00:00.000Z', from: 'both', share: 0.5, fields: ['description'] };
  world.scheduler.start(workflowIds.backfill(world.tenant), 'backfill', { tenant: world.tenant, order });
  await deals.time(DAY_MS);
  expect(await both()).toEqual(['first', 'first']);
  await world.crm.edit(crmId, { Name: 'Renamed' });
  await deals.sweep();
  await deals.time(120_000);
  await undo({ of: 'backfill', backfill: 1 });
  expect([...(await both()), await atVendor('name')]).toEqual(['first', 'theirs', 'Renamed']);
});
