/** How long a throttled vendor is left alone. The real engine on ledger and simulators. */
import { beforeEach, expect, it, vi } from 'vitest';
import { resumeTenant } from '../../src/operator/tenants/resume-tenant.ts';
import { workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal());
});

async function requestsSince(ms: number): Promise<number> {
  return (await world.vendor.requests()).filter(({ time }) => Date.parse(time) > ms).length;
}

async function throttled(fault: Readonly<Record<string, unknown>>): Promise<number> {
  await world.vendor.fault({ operation: 'updateLeadOpportunity', times: 1, ...fault });
  await world.crm.edit(crmId, { Description: 'ours' });
  world.startStream('sweepSalesforce');
  for (let second = 0; second < 60; second += 1) {
    await deals.time(1_000);
    const answered = (await world.vendor.requests()).filter(({ status }) => status === 429);
    const [first] = answered;
    if (first !== undefined) return Date.parse(first.time);
  }
  throw new Error('nothing was throttled');
}

const isThere = async () => (await deals.leadNamed(crmId))?.['description'] === 'ours';

it('waits for the later of Retry-After and the reset', async () => {
  const at = await throttled({ retryAfterSeconds: 40, resetSeconds: 0 });
  await deals.time(at + 39_000 - world.clock.readMs());
  expect(await requestsSince(at)).toBe(0);
  await deals.time(20_000);
  expect(await isThere()).toBe(true);
});

it('never comes back at once', async () => {
  const at = await throttled({ resetSeconds: 0 });
  await deals.time(20_000);
  const after = (await world.vendor.requests()).filter(({ time }) => Date.parse(time) > at);
  expect(Date.parse(after[0]?.time ?? '') - at).toBeGreaterThanOrEqual(1_000);
  expect(await isThere()).toBe(true);
});

it('caps an absurd wait by what the vendor usually says', async () => {
  await throttled({ retryAfterSeconds: 3_600 });
  await deals.time(5 * 60_000);
  expect(await isThere()).toBe(true);
});

it('ends a wait where a person says so', async () => {
  await throttled({ retryAfterSeconds: 110 });
  await deals.time(10_000);
  expect(await isThere()).toBe(false);
  const { tenant, ledger, scheduler } = world;
  const guards = { maxDetachShare: 0.2, minimum: 20, windowMs: 3_600_000 };
  const endWaits = async (_: string, keys: readonly string[]) => {
    for (const key of keys) scheduler.signal(workflowIds.syncOpportunity(tenant, key), 'probeNow', undefined);
  };
  const watching = async () => ({ probeNow: async () => {}, endWaits });
  await resumeTenant(ledger, { tenant, guards }, world.clock.now(), watching, true);
  await deals.time(5_000);
  expect(await isThere()).toBe(true);
});
