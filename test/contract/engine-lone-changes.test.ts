/** A change that comes alone, and one on the heels of another: the real engine on ledger and simulators. */
import { beforeEach, expect, it, vi } from 'vitest';
import { LINGER_MS, WRITE_SPACING_MS } from '../../src/domain/loop/step.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

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
  while (!activities(from).includes('updateAtVendor')) await world.scheduler.step(world.clock.readMs());
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
  while (!activities(from).includes('reportToCrm'))
    expect(await world.scheduler.step(world.clock.readMs())).toBe(true);
  expect(activities(from)).not.toContain('showStanding');
  await edit('Repaired');
  await untilCompleted();
  expect(activities(from)).toContain('showStanding');
  expect(await atVendor()).toBe('Repaired');
});
