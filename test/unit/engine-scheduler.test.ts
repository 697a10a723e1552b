/** Temporal's part in the engine's stories: what a history counts, what a worker's death takes along. */
import { expect, test } from 'vitest';
import { createInterruptions } from '../support/engine/interruptions.ts';
import { createScheduler, type Scheduler } from '../support/engine/scheduler.ts';
import { createVirtualClock } from '../support/engine/virtual-clock.ts';
import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '../support/engine/workflow-runtime.ts';

type Activities = { look(what: string): Promise<string> };

const options = { startToCloseTimeout: '5 seconds', retry: { maximumAttempts: 1 } } as const;
const ordinary = proxyActivities<Activities>(options);
const local = proxyLocalActivities<Activities>(options);
const wake = defineSignal<[string]>('wake');
const HOUR_MS = 3_600_000;

/** A scheduler of one workflow whose activity asks a port, and what became of the run. */
function schedulerOf(
  workflow: (input: never) => Promise<unknown>,
  look = async (what: string) => what,
  isTaskOver = false,
) {
  const clock = createVirtualClock();
  const interruptions = createInterruptions();
  const port = interruptions.wrap({ look });
  const activities = { look: (what: string) => port.look(what) };
  const scheduler: Scheduler = createScheduler({
    clock,
    interruptions,
    workflows: { workflow },
    activities: () => activities as never,
    pick: () => 0,
    isTaskOver: () => isTaskOver,
  });
  async function run(signals: readonly string[] = []): Promise<unknown> {
    scheduler.start('run', 'workflow', null);
    for (const signal of signals) scheduler.signal('run', 'wake', signal);
    const untilMs = clock.readMs() + HOUR_MS;
    while (await scheduler.step(untilMs)) {}
    expect(scheduler.failures).toEqual([]);
    return scheduler.takeResults().get('run');
  }
  return { run, scheduler, interruptions, clock };
}

function lengths() {
  const seen: number[] = [];
  return { seen, note: () => void seen.push(workflowInfo().historyLength) };
}

/** The signals as they are heard, by a run that begins with the first. */
async function heard(): Promise<string[]> {
  const signals: string[] = [];
  setHandler(wake, (signal) => void signals.push(signal));
  await condition(() => signals.length > 0);
  return signals;
}

test('a timer adds two events, an activity three, each with three of the workflow task that follows', async () => {
  const { run } = schedulerOf(async () => {
    const { seen, note } = lengths();
    note();
    await sleep('5 seconds');
    note();
    await ordinary.look('once');
    note();
    await sleep('5 seconds');
    note();
    return seen;
  });
  // As in test/replay/histories/guard-tenant-drains-after-an-outage.json.
  expect(await run()).toEqual([3, 8, 14, 19]);
});

test('a signal, a local activity and a search attribute add one event', async () => {
  const { run } = schedulerOf(async () => {
    const { seen, note } = lengths();
    await heard();
    note();
    await local.look('first');
    note();
    await ordinary.look('then');
    note();
    upsertSearchAttributes([]);
    await ordinary.look('last');
    note();
    return seen;
  });
  // As in test/replay/histories/sync-opportunity-adopts-a-lost-create.json.
  expect(await run(['a'])).toEqual([4, 4, 11, 18]);
});

test('a run that is continued as new has a new history', async () => {
  let runs = 0;
  const { run } = schedulerOf(async () => {
    runs += 1;
    await ordinary.look('once');
    return runs === 1 ? continueAsNew<(from: string) => Promise<void>>('here') : workflowInfo().historyLength;
  });
  expect(await run()).toBe(9);
});

test('the server suggests to continue as new after 4,096 events', async () => {
  const { run } = schedulerOf(async () => {
    let timers = 0;
    while (!workflowInfo().continueAsNewSuggested) {
      await sleep('1 second');
      timers += 1;
    }
    return timers;
  });
  expect(await run()).toBe(Math.ceil((4_096 - 3) / 5));
});

test('a signal that comes during a local activity is heard after it', async () => {
  const { run, scheduler, interruptions } = schedulerOf(async () => {
    const signals = await heard();
    await local.look('first');
    const during = [...signals];
    await condition(() => signals.length > 1);
    return { during, signals };
  });
  interruptions.plan(1, async () => scheduler.signal('run', 'wake', 'late'));
  expect(await run(['a'])).toEqual({ during: ['a'], signals: ['a', 'late'] });
});

test('a local activity whose worker dies is run again, by a task that knows what came meanwhile', async () => {
  const { run, scheduler, interruptions, clock } = schedulerOf(async () => {
    const signals = await heard();
    return local.look(signals.join());
  });
  const startedMs = clock.readMs();
  scheduler.at(startedMs + 5_000, async () => scheduler.signal('run', 'wake', 'late'));
  interruptions.plan(2, 'worker');
  expect(await run(['a'])).toBe('a,late');
  expect(scheduler.trail.map((line) => line.split(' ').slice(2).join(' '))).toEqual([
    'local:look → LOST worker',
    'local:look → a,late',
  ]);
});

test('a worker that dies takes along what local activities of the same task have answered', async () => {
  const asked: string[] = [];
  const { run, interruptions } = schedulerOf(
    async () => {
      await ordinary.look('before');
      await local.look('first');
      return local.look('second');
    },
    async (what) => {
      asked.push(what);
      return what;
    },
  );
  interruptions.plan(6, 'worker');
  expect(await run()).toBe('second');
  expect(asked).toEqual(['before', 'first', 'second', 'first', 'second']);
});

test('an end that does not know of a signal is refused', async () => {
  const { run, scheduler, interruptions } = schedulerOf(async () => {
    const signals = await heard();
    await local.look('first');
    return signals;
  });
  interruptions.plan(1, async () => scheduler.signal('run', 'wake', 'late'));
  expect(await run(['a'])).toEqual(['a', 'late']);
});

test('a local activity that takes too long has timed out', async () => {
  const { run, interruptions, clock } = schedulerOf(async () => local.look('slow').catch((error: Error) => error.name));
  interruptions.plan(1, async () => clock.advance(6_000));
  expect(await run()).toBe('TimeoutFailure');
});

test('a workflow that does not replay is found out', async () => {
  let reads = 0;
  const { run, interruptions } = schedulerOf(async () => {
    reads += 1;
    if (reads === 1) await ordinary.look('first');
    else await sleep('1 second');
    return ordinary.look('second');
  });
  interruptions.plan(3, 'worker');
  await expect(run()).rejects.toThrow('does not replay');
});

test('a workflow that decides by how long its history is does not replay where its task went on as another', async () => {
  const twice = proxyActivities<Activities>({ ...options, retry: { maximumAttempts: 2 } });
  const workflow = async () => {
    if (workflowInfo().historyLength > 4) return 'long';
    await local.look('first');
    return twice.look('second');
  };
  const lost = (isTaskOver: boolean) => {
    const { run, interruptions } = schedulerOf(workflow, undefined, isTaskOver);
    interruptions.plan(3, 'worker');
    return run();
  };
  expect(await lost(false)).toBe('second');
  await expect(lost(true)).rejects.toThrow('does not replay');
});

test('a call of another kind does not replay', async () => {
  let reads = 0;
  const { run, interruptions } = schedulerOf(async () => {
    reads += 1;
    await (reads === 1 ? ordinary : local).look('first');
    return ordinary.look('second');
  });
  interruptions.plan(2, 'worker');
  await expect(run()).rejects.toThrow('does not replay');
});

test('options of a call are merged into those of its proxy', async () => {
  const repeated = proxyActivities<Activities>({ ...options, retry: { nonRetryableErrorTypes: ['Error'] } });
  let tries = 0;
  const { run } = schedulerOf(
    async () =>
      repeated.look.executeWithOptions({ retry: { maximumAttempts: 5 } }, ['it']).catch((error: Error) => error.name),
    async () => {
      tries += 1;
      throw new Error('no');
    },
  );
  expect(await run()).toBe('ActivityFailure');
  expect(tries).toBe(1);
});

test('of an activity whose process is gone nothing goes on, and nobody waits for it', async () => {
  const interruptions = createInterruptions();
  const asked: string[] = [];
  const port = interruptions.wrap({
    look: async (what: string): Promise<void> => {
      asked.push(what);
    },
  });
  let isParked = false;
  interruptions.plan(1, 'run');
  interruptions.plan(2, {
    park: () => {
      isParked = true;
    },
  });
  const run = interruptions.run(() => Promise.all([port.look('one'), port.look('two')]), 'a hand');
  expect(await run).toEqual({ lost: 'run' });
  expect([asked, isParked]).toEqual([[], false]);
});

test('a process that stands still does so with all its calls, and stands still again only once it has gone on', async () => {
  const interruptions = createInterruptions();
  const asked: string[] = [];
  const port = interruptions.wrap({
    look: async (what: string): Promise<void> => {
      asked.push(what);
    },
  });
  const goOn: (() => Promise<void>)[] = [];
  for (const place of [1, 2]) interruptions.plan(place, { park: (next) => void goOn.push(next) });
  const run = interruptions.run(() => Promise.all([port.look('one'), port.look('two')]), 'a hand');
  expect(await run).toEqual({ lost: 'worker' });
  expect([asked, goOn.length]).toEqual([[], 1]);
  await goOn[0]?.();
  expect(goOn.length).toBe(2);
  await goOn[1]?.();
  expect(asked.toSorted()).toEqual(['one', 'two']);
});

test('in a time in which no worker works all else happens when it is due', async () => {
  const { scheduler, clock } = schedulerOf(() => sleep('1 second'));
  scheduler.start('run', 'workflow', null);
  const startedMs = clock.readMs();
  const seen: number[] = [];
  const note = async () => void seen.push(clock.readMs() - startedMs);
  for (const ms of [5_000, 2_000, HOUR_MS + 1]) scheduler.at(startedMs + ms, note);
  await scheduler.leap(HOUR_MS);
  expect(seen).toEqual([2_000, 5_000]);
  expect([clock.readMs() - startedMs, scheduler.running()]).toEqual([HOUR_MS, ['run']]);
});
