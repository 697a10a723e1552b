import { describe, expect, it, vi } from 'vitest';
import type { LinkState } from '../../src/domain/record/link-state.ts';
import type { RecordStatus, SyncOpportunityInput } from '../../workflows/messages.ts';
import { recordWaits } from '../../workflows/record-waits.ts';
import { createWaitingList } from '../../workflows/waiting-list.ts';
import { createInterruptions } from '../support/engine/interruptions.ts';
import { createScheduler } from '../support/engine/scheduler.ts';
import { createVirtualClock } from '../support/engine/virtual-clock.ts';
import { type ActivityCall, runAsWorkflow, type WorkflowHost } from '../support/engine/workflow-host.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const IDS = { crmId: '006', vendorId: 'LO-1' };
const RECORD = { tenant: 'acme', key: '006', ...IDS };

type Seen = { readonly state: LinkState; readonly issues: readonly string[] };
const IN_SYNC: Seen = { state: 'in-sync', issues: [] };
const PARKED: Seen = { state: 'parked', issues: ['vendor-refused name'] };

/** What a run that begins so asks to be shown of each of these standings. */
async function shown(input: Partial<SyncOpportunityInput>, seen: readonly Seen[]) {
  const calls: unknown[] = [];
  const host = {
    schedule: async ({ name, args, options }: ActivityCall) => {
      calls.push([name, args[0], (options as { readonly summary: string }).summary]);
    },
  };
  return runAsWorkflow(host as unknown as WorkflowHost, async () => {
    const list = createWaitingList({ ...RECORD, syncState: null, ...input });
    for (const each of seen) await list.show({ ...IDS, ...each });
    return { calls, carried: list.carried() };
  });
}

describe('the list of what waits for a person', () => {
  it('costs a record that does not wait nothing', async () => {
    expect(await shown({ syncState: 'in-sync' }, [IN_SYNC])).toEqual({ calls: [], carried: {} });
    expect(await shown({}, [{ ...IN_SYNC, state: 'pending' }])).toEqual({ calls: [], carried: {} });
  });

  it('gets a record that waits, once as long as its reasons stay', async () => {
    expect(await shown({ syncState: 'in-sync' }, [PARKED, PARKED])).toEqual({
      calls: [['publishStatus', { ...RECORD, ...PARKED }, 'show: parked, vendor-refused name']],
      carried: { isShownWaiting: true },
    });
    const { calls } = await shown({}, [PARKED, { ...PARKED, issues: ['conflict name'] }]);
    expect(calls).toHaveLength(2);
  });

  it.each<Partial<SyncOpportunityInput>>([
    { syncState: 'conflict' },
    { syncState: 'vendor-missing' },
    { syncState: 'in-sync', isShownWaiting: true },
  ])('loses one that waits no longer, whichever run put it there: %o', async (input) => {
    expect(await shown(input, [IN_SYNC, IN_SYNC])).toEqual({
      calls: [['publishStatus', { ...RECORD, ...IN_SYNC }, 'show: in-sync']],
      carried: {},
    });
  });
});

/** The run of a record after all these signals. */
function answer(news: readonly RecordStatus[]) {
  const clock = createVirtualClock();
  const scheduler = createScheduler({
    clock,
    interruptions: createInterruptions(),
    workflows: { recordWaits: recordWaits as never },
    activities: () => ({}) as never,
    pick: () => 0,
  });
  scheduler.start('waits', 'recordWaits', { ...RECORD, ...PARKED });
  for (const [place, each] of news.entries())
    scheduler.at(clock.readMs() + 1_000 * (place + 1), async () => scheduler.signal('waits', 'status', each));
  return {
    play: async () => {
      const untilMs = clock.readMs() + 10_000_000;
      while (scheduler.running().length > 0 && (await scheduler.step(untilMs))) {}
      return { running: scheduler.running(), result: scheduler.takeResults().get('waits') };
    },
  };
}

describe('the run that stands for a record that waits', () => {
  it('goes on while the record waits, however often it is signalled', async () => {
    const news = Array.from({ length: 1_500 }, () => ({ ...IDS, ...PARKED }));
    expect(await answer(news).play()).toMatchObject({ running: ['waits'] });
  });

  it('ends when it does no longer, with where the record stands', async () => {
    const conflict: Seen = { state: 'conflict', issues: ['conflict name'] };
    const { running, result } = await answer([
      { ...IDS, ...conflict },
      { ...IDS, ...IN_SYNC },
    ]).play();
    expect({ running, result }).toEqual({ running: [], result: IN_SYNC });
  });
});
