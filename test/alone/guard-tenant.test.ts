import { expect, it, vi } from 'vitest';
import { guardTenant } from '../../workflows/guard-tenant.ts';
import { createInterruptions } from '../support/engine/interruptions.ts';
import { createScheduler } from '../support/engine/scheduler.ts';
import { createVirtualClock } from '../support/engine/virtual-clock.ts';
import { workflowInfo } from '../support/engine/workflow-runtime.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const HOUR_MS = 3_600_000;

/** A guard whose group answers again after so many probes, and which so many batches of records waited for. */
async function guarded(
  failing: number,
  batches: number,
  newsAtMs: readonly number[] = [],
  askedAtMs: readonly number[] = [],
) {
  const clock = createVirtualClock();
  const startMs = clock.readMs();
  const probesMs: number[] = [];
  const drains: unknown[] = [];
  const tellsMs: number[] = [];
  let longest = 0;
  const activities = {
    probeGroup: async () => {
      probesMs.push(clock.readMs() - startMs);
      return { recovered: probesMs.length > failing };
    },
    notifyWaiting: async () => {
      tellsMs.push(clock.readMs() - startMs);
      return { notified: 1, more: tellsMs.length === 1 };
    },
    resumeGroup: async () => ({ at: 'then' }),
    drainDue: async (args: unknown) => {
      drains.push(args);
      return { woken: 20, more: drains.length < batches };
    },
  };
  const scheduler = createScheduler({
    clock,
    interruptions: createInterruptions(),
    workflows: {
      guardTenant: (async (input: Parameters<typeof guardTenant>[0]) => {
        try {
          return await guardTenant(input);
        } finally {
          longest = Math.max(longest, workflowInfo().historyLength);
        }
      }) as never,
    },
    activities: () => activities as never,
    pick: () => 0,
  });
  scheduler.start('guard', 'guardTenant', { tenant: 'acme', group: 'vendor-sales' });
  for (const ms of newsAtMs) scheduler.at(startMs + ms, async () => scheduler.signal('guard', 'workWaits', undefined));
  for (const ms of askedAtMs) scheduler.at(startMs + ms, async () => scheduler.signal('guard', 'probeNow', undefined));
  const untilMs = startMs + 24 * 30 * HOUR_MS;
  while (scheduler.running().length > 0 && (await scheduler.step(untilMs))) {}
  return { result: scheduler.takeResults().get('guard'), probesMs, tellsMs, drains, longest: () => longest };
}

it('probes for weeks and drains for hours in histories that stay short, and counts all of it', async () => {
  const { result, probesMs, drains, longest } = await guarded(5_000, 3_000);
  expect(result).toEqual({ probes: 5_001, drained: 60_000 });
  expect(drains).toHaveLength(3_000);
  expect(new Set(drains.map((args) => JSON.stringify(args)))).toEqual(new Set(['{"tenant":"acme","before":"then"}']));
  expect(longest()).toBeGreaterThan(900);
  expect(longest()).toBeLessThan(1_100);
  const waits = probesMs.map((ms, place) => ms - (probesMs[place - 1] ?? 0));
  expect(Math.max(...waits.slice(10))).toBeLessThan(301_000);
  expect(Math.min(...waits.slice(10))).toBeGreaterThanOrEqual(300_000);
});

it('tells of what waits when it begins, until all are reported, and soon after each piece of news, between its probes', async () => {
  const { tellsMs, probesMs } = await guarded(3, 1, [20_000, 20_500, 90_000]);
  const seconds = (all: readonly number[]): readonly number[] => all.map((ms) => Math.floor(ms / 1000));
  // Signals of one moment are reported together.
  expect(seconds(tellsMs)).toEqual([3, 4, 23]);
  expect(seconds(probesMs)).toEqual([5, 15, 35, 75]);
});

it('probes as soon as it is asked to, and drains what waited', async () => {
  const { result, probesMs } = await guarded(6, 1, [], [400_000]);
  const seconds = probesMs.map((ms) => Math.floor(ms / 1000));
  // The seventh would be due after 615 s.
  expect(seconds).toEqual([5, 15, 35, 75, 155, 315, 400]);
  expect(result).toEqual({ probes: 7, drained: 20 });
});
