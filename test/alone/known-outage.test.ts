import type { ApplicationFailure } from '@temporalio/common';
import { expect, it, vi } from 'vitest';
import { refuseWhilePaused } from '../../activities/outage/refuse-while-paused.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { outage } from '../../activities/support/to-failure.ts';
import type { OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import { syncOpportunity } from '../../workflows/sync-opportunity.ts';
import { createInterruptions } from '../support/engine/interruptions.ts';
import { createScheduler } from '../support/engine/scheduler.ts';
import { createVirtualClock } from '../support/engine/virtual-clock.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

/** What a record's run says of an outage that its first step ran into. */
async function saidOf(error: Error): Promise<readonly unknown[]> {
  const said: unknown[] = [];
  const clock = createVirtualClock();
  const activities = {
    planSync: () => Promise.reject(error),
    reportOutage: async (args: unknown) => void said.push(args),
  };
  const scheduler = createScheduler({
    clock,
    interruptions: createInterruptions(),
    workflows: { syncOpportunity: syncOpportunity as never },
    activities: () => activities as never,
    pick: () => 0,
  });
  const input = { tenant: 'acme', key: 'x', crmId: null, vendorId: null, syncState: null };
  scheduler.start('x', 'syncOpportunity', input);
  scheduler.signal('x', 'wake', { cause: 'crm' });
  const untilMs = clock.readMs() + 60_000;
  while (scheduler.running().length > 0 && (await scheduler.step(untilMs))) {}
  expect(scheduler.takeResults().get('x')).toMatchObject({ stoppedBy: 'salesforce' });
  return said;
}

it('a record that runs into a pause ends with that alone: it is known, and each would say it again', async () => {
  expect(await saidOf(outage('salesforce', 'paused', true))).toEqual([]);
  expect(await saidOf(outage('salesforce', 'refused'))).toEqual([
    { tenant: 'acme', group: 'salesforce', why: 'refused' },
  ]);
});

it.each<[OperationGroup, boolean]>([
  ['salesforce', true],
  ['vendor-sales', true],
  ['whole-tenant', false],
  ['by-hand', false],
])('a pause of %s has its guard, and is known: %s', async (group, isKnown) => {
  const ledger = { pauses: async () => [{ group, reason: 'x', since: '2026-03-01T12:00:00.000Z' }] };
  const refused = refuseWhilePaused({ ledger } as unknown as ActivityDeps, 'acme', 'records');
  const error = (await refused.catch((reason: unknown) => reason)) as ApplicationFailure;
  expect(error).toMatchObject({ type: 'SYSTEMIC', details: [{ group }] });
  const [result] = (error.details ?? []) as readonly { readonly isKnown?: boolean }[];
  expect(result?.isKnown ?? false).toBe(isKnown);
});
