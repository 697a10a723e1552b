/** A run that another worker takes over asks for what it asked for before, however long its tasks took; else it stands still for good. */
import { ApplicationFailure } from '@temporalio/common';
import { expect, it, vi } from 'vitest';
import { syncOpportunity } from '../../workflows/sync-opportunity.ts';
import { createInterruptions } from '../support/engine/interruptions.ts';
import { createScheduler } from '../support/engine/scheduler.ts';
import { createVirtualClock } from '../support/engine/virtual-clock.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const INPUT = { tenant: 'acme', key: 'x', crmId: null, vendorId: null, syncState: null };
const TEN_MINUTES_MS = 600_000;

/** A record that the CRM fails, again and again; its worker is lost at the `lostAt`th call. Gives what was called. */
async function callsOf(lostAt: number, isTaskOver: boolean): Promise<readonly string[]> {
  const [clock, interruptions] = [createVirtualClock(), createInterruptions()];
  const failing = async (): Promise<never> => {
    throw ApplicationFailure.create({ type: 'TRANSIENT', details: [{ retryAfterMs: null }] });
  };
  const port = interruptions.wrap({ planSync: failing });
  const scheduler = createScheduler({
    ...{ clock, interruptions },
    workflows: { syncOpportunity: syncOpportunity as never },
    activities: () => ({ planSync: () => port.planSync(), reportOutage: async () => undefined }),
    pick: () => 0,
    isTaskOver: () => isTaskOver,
  });
  interruptions.plan(lostAt, 'worker');
  scheduler.start('x', 'syncOpportunity', INPUT);
  scheduler.signal('x', 'wake', { cause: 'crm' });
  const untilMs = clock.readMs() + TEN_MINUTES_MS;
  while (await scheduler.step(untilMs)) {}
  expect(scheduler.failures).toEqual([]);
  return scheduler.trail.map((line) => line.split(' ')[2] ?? '');
}

it('a young run tries first, and one that has gone on for long does not', async () => {
  const calls = await callsOf(1_000, false);
  expect(calls[0]).toBe('local:planSync');
  expect(calls.slice(-3)).toEqual(['planSync', 'planSync', 'planSync']);
});

it.each([false, true])('replays wherever its worker is lost, where tasks go on as others: %s', async (isTaskOver) => {
  for (let lostAt = 1; lostAt <= 25; lostAt += 1)
    expect((await callsOf(lostAt, isTaskOver)).length).toBeGreaterThan(10);
});

it('a first task that was cut off says so to its local activity, and one that was not does not', async () => {
  const said: unknown[] = [];
  const [clock, interruptions] = [createVirtualClock(), createInterruptions()];
  const port = interruptions.wrap({
    planSync: async ({ isRepeated = false }: { readonly isRepeated?: boolean }): Promise<never> => {
      said.push(isRepeated);
      throw ApplicationFailure.create({ type: 'TRANSIENT', details: [{ retryAfterMs: null }] });
    },
  });
  const scheduler = createScheduler({
    ...{ clock, interruptions },
    workflows: { syncOpportunity: syncOpportunity as never },
    activities: () => ({
      planSync: (args) => port.planSync(args as never),
      reportOutage: async () => undefined,
    }),
    pick: () => 0,
    isTaskOver: () => false,
  });
  interruptions.plan(1, 'worker');
  scheduler.start('x', 'syncOpportunity', INPUT);
  scheduler.signal('x', 'wake', { cause: 'crm' });
  scheduler.signal('x', 'wake', { cause: 'crm' });
  while (said.length < 4 && (await scheduler.step(clock.readMs() + TEN_MINUTES_MS))) {}
  expect(said).toEqual([true, false, false, false]);
  expect(scheduler.failures).toEqual([]);
});
