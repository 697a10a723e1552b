/** A change that comes alone, and one on the heels of another: the real engine on ledger and simulators. */
import { beforeEach, expect, it } from 'vitest';
import type { VendorPace } from '../../activities/support/deps.ts';
import { LINGER_MS, WRITE_SPACING_MS } from '../../src/domain/loop/step.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

/** What the requests of one change take at most by the virtual clock. */
const SLACK_MS = 500;

const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal());
  await deals.time(60_000);
});

async function edit(description: string): Promise<void> {
  await world.crm.edit(crmId, { Description: description });
  await wake();
}

async function wake(): Promise<void> {
  const keys = await world.ledger.markDue(world.tenant, [{ crmId }], world.clock.now());
  await world.wake(keys, 'crm');
}

const runs = (): boolean => world.scheduler.running().some((id) => id.endsWith(crmId));

/** Milliseconds until no run of the deal is left. */
async function untilCompleted(): Promise<number> {
  const startedMs = world.clock.readMs();
  while (runs()) expect(await world.scheduler.step(startedMs + 60_000)).toBe(true);
  return world.clock.readMs() - startedMs;
}

const atVendor = async (): Promise<unknown> => (await deals.leadNamed(crmId))?.['description'];

/** The activities of the deal from a place of the trail on. */
function activities(from: number): readonly string[] {
  const lines = world.scheduler.trail.slice(from).filter((line) => line.includes(`/opportunity/${crmId} `));
  return lines.map((line) => line.split(' ')[2] ?? '');
}

it('a lone change is carried over, and its run is over at once', async () => {
  await edit('Alone');
  expect(await untilCompleted()).toBeLessThan(LINGER_MS / 2);
  expect(await atVendor()).toBe('Alone');
  expect(await settle(world)).toEqual([]);
});

/** What the vendor was asked about the deal since a request, by operation and outcome. */
async function asked(since: number): Promise<readonly string[]> {
  const requests = (await world.vendor.requests()).filter(({ seq }) => seq > since);
  return requests.map(({ operation, status }) => `${operation} ${status}`);
}
const lastAsked = async (): Promise<number> => (await world.vendor.requests()).at(-1)?.seq ?? 0;

it('what a lone change is read for at the vendor leaves with the same activity', async () => {
  const [from, since] = [world.scheduler.trail.length, await lastAsked()];
  await edit('Alone');
  await untilCompleted();
  expect(activities(from)).toEqual(['local:planSync', 'readVendor']);
  expect(await asked(since)).toEqual(['readLeadOpportunity 200', 'updateLeadOpportunity 200']);
});

it.each([
  ['is refused for a moment', { status: 503 }, ['readLeadOpportunity', 'updateLeadOpportunity']],
  ['is not answered', { cut: 'after' }, ['readLeadOpportunity']],
] as const)('after an update that %s the vendor is read before anything else', async (_, fault, then) => {
  await world.vendor.fault({ operation: 'updateLeadOpportunity', times: 1, ...fault });
  const since = await lastAsked();
  await edit('Once');
  await untilCompleted();
  expect(await atVendor()).toBe('Once');
  const operations = (await asked(since)).map((request) => request.split(' ')[0]);
  expect(operations).toEqual(['readLeadOpportunity', 'updateLeadOpportunity', ...then]);
  expect(await settle(world)).toEqual([]);
});

it('one that nothing may be sent for is only read', async () => {
  await deals.editAtVendor(crmId, { description: 'Theirs' });
  const since = await lastAsked();
  await wake();
  await untilCompleted();
  expect((await asked(since)).filter((request) => request.startsWith('update'))).toEqual([]);
});

it('on the heels of a write nothing is read before it may be written again, though that run is over', async () => {
  await edit('First');
  await untilCompleted();
  const from = world.scheduler.trail.length;
  await edit('Second');
  await deals.time(WRITE_SPACING_MS - SLACK_MS);
  expect(activities(from)).toEqual(['local:planSync']);
  expect(await atVendor()).toBe('First');
  await deals.time(2 * SLACK_MS);
  expect(await atVendor()).toBe('Second');
  expect(activities(from).slice(0, 2)).toEqual(['local:planSync', 'local:planSync']);
  expect(activities(from).filter((name) => name === 'updateAtVendor')).toHaveLength(1);
  expect(await untilCompleted()).toBeGreaterThan(LINGER_MS - 2 * SLACK_MS);
  expect(await settle(world)).toEqual([]);
});

it('a run that is woken while it works waits for more', async () => {
  await edit('First');
  const from = world.scheduler.trail.length;
  while (!activities(from).includes('readVendor')) expect(await world.scheduler.step(world.clock.readMs())).toBe(true);
  const startedMs = world.clock.readMs();
  await edit('Second');
  await untilCompleted();
  expect(await atVendor()).toBe('Second');
  expect(world.clock.readMs() - startedMs).toBeGreaterThanOrEqual(WRITE_SPACING_MS + LINGER_MS);
});

it('a wake that comes while a waiting record is put on its list is not lost', async () => {
  await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 400, times: 1 });
  const from = world.scheduler.trail.length;
  await edit('Refused');
  while (!activities(from).includes('reportToCrm')) expect(await world.scheduler.step(world.clock.readMs())).toBe(true);
  expect(activities(from)).not.toContain('publishStatus');
  await edit('Repaired');
  await untilCompleted();
  expect(activities(from)).toContain('publishStatus');
  expect(await atVendor()).toBe('Repaired');
});

it('takes its turn at the vendor before all that came together, as nothing in the lane does', async () => {
  const asked: string[] = [];
  const vendorPace: VendorPace = {
    raise: () => undefined,
    note: () => void asked.push('noted'),
    turn: async (_tenant, _perSecond, _signal, who) => void asked.push(who),
  };
  ({ world, deals, crmId } = await openDeal({ vendorPace }));
  await deals.time(60_000);
  asked.length = 0;
  await edit('Alone');
  await untilCompleted();
  expect(asked).toEqual(['noted', 'first']);

  ({ world, deals, crmId } = await openDeal({ vendorPace, lane: { takes: 'all', width: 1 } }));
  await deals.time(60_000);
  asked.length = 0;
  await edit('In the lane');
  await deals.time(10_000);
  expect(await atVendor()).toBe('In the lane');
  expect(new Set(asked)).toEqual(new Set(['others']));
  expect(await settle(world)).toEqual([]);
});
