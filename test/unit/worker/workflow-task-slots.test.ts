/** Workflow tasks at once, by processors and by how long tasks take. */
import type { SlotReserveContext } from '@temporalio/worker';
import { expect, it } from 'vitest';
import { createTaskPace } from '../../../src/worker/task-pace.ts';
import { createWorkflowTaskSlots } from '../../../src/worker/workflow-task-slots.ts';

/** The limit after spans in which every task takes `taskMs` and others wait. */
function limitAfter(spans: readonly number[], processors = 2, isFull = true): number {
  let now = 0;
  const pace = createTaskPace(processors, 100, () => now);
  for (const taskMs of spans) {
    const tasks = pace.limit();
    pace.runs(tasks, isFull);
    now += taskMs;
    for (let n = 0; n < tasks; n += 1) pace.ended();
    pace.runs(tasks, isFull);
  }
  return pace.limit();
}

type Row = readonly [
  what: string,
  spans: readonly number[],
  limit: number,
  more: { readonly processors?: number; readonly isFull?: boolean },
];

it.each<Row>([
  ['at first four for each processor', [], 8, {}],
  ['one processor', [], 4, { processors: 1 }],
  ['more while tasks are quick', [100, 100], 12, {}],
  ['sixteen for each processor at the most', Array.from({ length: 50 }, () => 10), 32, {}],
  ['no more while none wait', [100, 100], 8, { isFull: false }],
  ['as many while tasks take their time', [1_500, 1_500], 8, {}],
  ['half of them once tasks are slow', [4_000], 4, {}],
  ['two for each processor at the least', [4_000, 9_000, 9_000], 4, {}],
  ['two at the least, for both kinds', [9_000, 9_000, 9_000], 2, { processors: 1 }],
])('%s', (_, spans, limit, { processors, isFull }) => {
  expect(limitAfter(spans, processors, isFull)).toBe(limit);
});

it('tasks that do not end count as slow', () => {
  let now = 0;
  const pace = createTaskPace(2, 100, () => now);
  pace.runs(8, true);
  now = 9_000;
  pace.runs(8, true);
  expect(pace.limit()).toBe(4);
});

/** Eight tasks at once. */
function worker(most = 100) {
  const { supplier, localActivity } = createWorkflowTaskSlots({ processors: 2, most }, () => 0);
  const granted: object[] = [];
  const reserve = (isSticky: boolean) => {
    const context = { isSticky } as SlotReserveContext;
    const answer = supplier.reserveSlot(context, new AbortController().signal);
    answer.then((permit) => granted.push(permit)).catch(() => undefined);
    return answer;
  };
  const slotInfo = { type: 'workflow', workflowType: 'x', isSticky: true } as const;
  return {
    ...{ granted, reserve, localActivity },
    release: (permit: object) => supplier.releaseSlot({ slotInfo, permit }),
    /** Reserves until no slot is free, marking each as used. Returns how many were. */
    fill: async (isSticky: boolean) => {
      const before = granted.length;
      for (let last = -1; last < granted.length; ) {
        last = granted.length;
        void reserve(isSticky);
        await Promise.resolve();
        const permit = granted[last];
        if (permit !== undefined) supplier.markSlotUsed({ slotInfo, permit });
        await Promise.resolve();
      }
      return granted.length - before;
    },
  };
}

const polls = async (of: ReturnType<typeof worker>, isSticky: boolean) => {
  for (let n = 0; n < 10; n += 1) of.reserve(isSticky).catch(() => undefined);
  await Promise.resolve();
  return of.granted.length;
};

it('a quarter of the slots waits at the server for tasks of one kind, and takes none from the other', async () => {
  const of = worker();
  expect(await polls(of, true)).toBe(2);
  expect(await of.fill(false)).toBe(8);
});

it('a slot that is free again goes to whoever waits', async () => {
  const of = worker();
  await of.fill(true);
  expect(of.granted).toHaveLength(8);
  of.release(of.granted[0] as object);
  await Promise.resolve();
  expect(of.granted).toHaveLength(9);
});

it.each([
  ['does not count', 100, 9],
  ['counts among all', 8, 8],
])('a task that waits for its local activity %s', async (_, most, slots) => {
  const of = worker(most);
  await of.fill(true);
  const ended = of.localActivity();
  await Promise.resolve();
  expect(of.granted).toHaveLength(slots);
  ended();
});

it('a reservation that Temporal drops is given up, and its slot is free again if it had one', async () => {
  const { supplier } = createWorkflowTaskSlots({ processors: 2, most: 100 }, () => 0);
  const reserve = () => {
    const drop = new AbortController();
    return { drop, slot: supplier.reserveSlot({ isSticky: true } as SlotReserveContext, drop.signal) };
  };
  const [granted, , waiting, next] = [reserve(), reserve(), reserve(), reserve()];
  waiting.drop.abort();
  await expect(waiting.slot).rejects.toThrow('aborted');
  granted.drop.abort();
  expect(await next.slot).toMatchObject({ kind: 'sticky' });
});
