import { expect, it, vi } from 'vitest';
import type { LanePart } from '../../activities/lane/sync-records.ts';
import { outage } from '../../activities/support/to-failure.ts';
import { laneSignal } from '../../workflows/messages.ts';
import { syncOpportunities } from '../../workflows/sync-opportunities.ts';
import { createInterruptions } from '../support/engine/interruptions.ts';
import { createScheduler } from '../support/engine/scheduler.ts';
import { createVirtualClock } from '../support/engine/virtual-clock.ts';
import { workflowInfo } from '../support/engine/workflow-runtime.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const part = (more: Partial<LanePart> = {}): LanePart => ({
  ...{ processed: 10, delegated: 1, more: false, waitMs: 0 },
  ...more,
});

type Answer = LanePart | Error | undefined;

/** A lane with these results of its rounds, which gets signals about records at these times. */
async function lane(looks: (look: number, tell: () => void) => Answer, signalsMs: readonly number[] = []) {
  const clock = createVirtualClock();
  const startMs = clock.readMs();
  const looksMs: number[] = [];
  const outages: unknown[] = [];
  let longest = 0;
  const activities = {
    syncRecords: async () => {
      looksMs.push(Math.round((clock.readMs() - startMs) / 1_000));
      const answer = looks(looksMs.length, tell);
      if (answer instanceof Error) throw answer;
      return answer ?? part();
    },
    reportOutage: async (args: unknown) => void outages.push(args),
  };
  const scheduler = createScheduler({
    clock,
    interruptions: createInterruptions(),
    workflows: {
      syncOpportunities: (async (input: Parameters<typeof syncOpportunities>[0]) => {
        try {
          return await syncOpportunities(input);
        } finally {
          longest = Math.max(longest, workflowInfo().historyLength);
        }
      }) as never,
    },
    activities: () => activities as never,
    pick: () => 0,
  });
  const tell = (): void => scheduler.signal('lane', laneSignal.name, undefined);
  scheduler.start('lane', 'syncOpportunities', { tenant: 'acme' });
  for (const ms of signalsMs) scheduler.at(startMs + ms, async () => tell());
  while (scheduler.running().length > 0 && (await scheduler.step(startMs + 3_600_000))) {}
  return { result: scheduler.takeResults().get('lane'), looksMs, outages, longest };
}

it('looks until the ledger has no record left', async () => {
  const { result, looksMs } = await lane((look) => part({ more: look < 3 }));
  expect([result, looksMs.length]).toEqual([{ processed: 30, delegated: 3 }, 3]);
});

it('looks once more for what is signalled meanwhile', async () => {
  const { looksMs } = await lane((look, tell) => {
    if (look === 1) tell();
    return part();
  });
  expect(looksMs).toHaveLength(2);
});

it('waits for a quota, and no longer than until records are signalled that may need none', async () => {
  const { looksMs } = await lane((look) => part(look < 3 ? { more: true, waitMs: 60_000 } : {}), [90_000]);
  expect(looksMs).toEqual([0, 60, 90]);
});

it('ends where a group is out, which is reported', async () => {
  const { result, outages } = await lane((look) =>
    look === 2 ? outage('salesforce', 'INVALID_LOGIN') : part({ more: true }),
  );
  expect(result).toEqual({ processed: 10, delegated: 1 });
  expect(outages).toEqual([{ tenant: 'acme', group: 'salesforce', why: 'INVALID_LOGIN' }]);
});

it('keeps its histories short, and its counts', async () => {
  const { result, longest } = await lane((look) => part({ more: look < 1_000 }));
  expect(result).toEqual({ processed: 10_000, delegated: 1_000 });
  expect(longest).toBeLessThan(1_100);
});
