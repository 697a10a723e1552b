import { ScheduleNotFoundError, type ScheduleOptions } from '@temporalio/client';
import { expect, it } from 'vitest';
import { shardOf } from '../../src/domain/streams/shards.ts';
import { reconcileSchedules, type SchedulesClient, schedulesOf } from '../../src/worker/schedules.ts';
import { workflowIds } from '../../temporal.config.ts';

/** A namespace with these schedules; the first `fails` requests fail. */
function namespaceWith(...existing: readonly { readonly scheduleId: string; readonly workflowType: string }[]) {
  const schedules = new Map(existing.map((one) => [one.scheduleId, one.workflowType]));
  const calls: string[] = [];
  const created: ScheduleOptions['state'][] = [];
  let failing = 0;
  const request = (call: string): void => {
    if (failing > 0) {
      failing -= 1;
      throw new Error('out');
    }
    calls.push(call);
  };
  const client = {
    list: async function* () {
      request('list');
      for (const [scheduleId, workflowType] of schedules) yield { scheduleId, action: { workflowType } };
    },
    getHandle: (id: string) => ({
      update: async () => {
        if (!schedules.has(id)) throw new ScheduleNotFoundError('none', id);
        request(`update ${id}`);
      },
      delete: async () => {
        request(`delete ${id}`);
        schedules.delete(id);
      },
    }),
    create: async ({ scheduleId, action, state }: ScheduleOptions) => {
      request(`create ${scheduleId}`);
      schedules.set(scheduleId, action.workflowType as string);
      created.push(state);
    },
  } as unknown as SchedulesClient;
  const waits: number[] = [];
  const pause = async (ms: number): Promise<void> => void waits.push(ms);
  const fail = (times: number): void => {
    failing = times;
  };
  return { client, calls, created, waits, pause, fail };
}

it('a thousand tenants have sixteen schedules, at times of their own, made within seconds', async () => {
  const schedules = schedulesOf(1_000);
  expect(schedules).toHaveLength(16);
  const offsets = schedules.map(({ spec }) => Number(spec.intervals?.[0]?.offset));
  expect(new Set(offsets).size).toBe(16);
  const { client, waits, calls, pause } = namespaceWith();
  await reconcileSchedules(client, 1_000, pause);
  expect(calls.filter((call) => call.startsWith('create'))).toHaveLength(16);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(100);
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(5_000);
});

it('a new schedule has its first run at once, and the overlap policy counts it', async () => {
  const { client, created, pause } = namespaceWith();
  await reconcileSchedules(client, 1, pause);
  const [every] = schedulesOf(1)[0]?.spec.intervals ?? [];
  const [first, more] = created[0]?.backfill ?? [];
  expect([Number(first?.end) - Number(first?.start), first?.overlap, more]).toEqual([every?.every, 'SKIP', undefined]);
  expect(created[0]?.triggerImmediately).toBeUndefined();
});

it.each([
  [0, 1],
  [64, 1],
  [65, 2],
  [1_000, 16],
  [50_000, 16],
])('%d tenants are %d shards', (tenants, shards) => expect(schedulesOf(tenants)).toHaveLength(shards));

it('the tenants are of all shards alike', () => {
  const sizes = new Map<number, number>();
  for (let n = 0; n < 1_000; n += 1) {
    const shard = shardOf(`tenant-${n}`, 16);
    sizes.set(shard, (sizes.get(shard) ?? 0) + 1);
  }
  expect(sizes.size).toBe(16);
  expect(Math.max(...sizes.values())).toBeLessThan(100);
});

it('makes what is missing, updates what is there, and takes away what stands for a tenant alone, or a shard too many', async () => {
  const { client, calls, pause } = namespaceWith(
    { scheduleId: workflowIds.readTenants(0), workflowType: 'readTenants' },
    { scheduleId: workflowIds.readTenants(7), workflowType: 'readTenants' },
    { scheduleId: 'acme/poll-vendor', workflowType: 'pollVendor' },
    { scheduleId: 'acme/audit', workflowType: 'audit' },
    { scheduleId: 'acme/report', workflowType: 'somebodyElses' },
    { scheduleId: 'their-poll', workflowType: 'pollVendor' },
  );
  await reconcileSchedules(client, 100, pause);
  expect(calls).toEqual([
    'update shards/read-tenants/00',
    'create shards/read-tenants/01',
    'list',
    'delete shards/read-tenants/07',
    'delete acme/poll-vendor',
    'delete acme/audit',
  ]);
});

it('tells of a failure, so that it is tried again', async () => {
  const { client, calls, pause, fail } = namespaceWith();
  fail(1);
  await expect(reconcileSchedules(client, 1, pause)).rejects.toThrow('out');
  await reconcileSchedules(client, 1, pause);
  expect(calls).toEqual(['create shards/read-tenants/00', 'list']);
});
