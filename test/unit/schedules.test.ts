import { ScheduleNotFoundError } from '@temporalio/client';
import { expect, it } from 'vitest';
import type { Tenant } from '../../src/platform/tenant.ts';
import {
  reconcileSchedules,
  SCHEDULED,
  type SchedulesClient,
  scheduleOf,
} from '../../src/worker/schedules.ts';
import { workflowIds } from '../../temporal.config.ts';

const EVERY_MS = 60_000;

const tenantCalled = (tenant: string): Tenant =>
  ({
    tenant,
    vendor: { poll: { everyMs: EVERY_MS } },
    salesforce: { sweep: { everyMs: 5 * EVERY_MS } },
    audit: { everyMs: 24 * 60 * EVERY_MS },
  }) as unknown as Tenant;

/** A namespace with these schedules; `fails` as many requests as it is told to. */
function namespaceWith(
  ...existing: readonly { readonly scheduleId: string; readonly workflowType: string }[]
) {
  const schedules = new Map(existing.map((one) => [one.scheduleId, one.workflowType]));
  const calls: string[] = [];
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
    create: async ({ scheduleId, action }: { scheduleId: string; action: { workflowType: string } }) => {
      request(`create ${scheduleId}`);
      schedules.set(scheduleId, action.workflowType);
    },
  } as unknown as SchedulesClient;
  const waits: number[] = [];
  const pause = async (ms: number): Promise<void> => void waits.push(ms);
  const fail = (times: number): void => {
    failing = times;
  };
  return { client, calls, waits, pause, fail };
}

it('the schedules of many tenants do not fire together, and each keeps its time', () => {
  const tenants = Array.from({ length: 120 }, (_, n) => tenantCalled(`tenant-${n}`));
  const offsets = tenants.map((tenant) => {
    const [interval] = scheduleOf(tenant, 'pollVendor').spec.intervals ?? [];
    expect(interval?.every).toBe(EVERY_MS);
    return Number(interval?.offset);
  });
  expect(Math.min(...offsets)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...offsets)).toBeLessThan(EVERY_MS);
  const perSecond = new Map<number, number>();
  for (const offset of offsets) {
    const second = Math.floor(offset / 1_000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  expect(Math.max(...perSecond.values())).toBeLessThan(10);
  const again = scheduleOf(tenantCalled('tenant-7'), 'pollVendor').spec.intervals?.[0]?.offset;
  expect(again).toBe(offsets[7]);
});

it('makes what is missing, updates what is there, and takes those of tenants that are gone away', async () => {
  const ofGone = SCHEDULED.map((stream) => workflowIds.scheduled('gone', stream));
  const { client, calls, pause, waits } = namespaceWith(
    { scheduleId: 'acme/poll-vendor', workflowType: 'pollVendor' },
    ...SCHEDULED.map((stream, n) => ({ scheduleId: ofGone[n] ?? '', workflowType: stream })),
    { scheduleId: 'gone/report', workflowType: 'somebodyElses' },
    { scheduleId: 'their-poll', workflowType: 'pollVendor' },
  );
  await reconcileSchedules(client, [tenantCalled('acme')], pause, async () => new Set(['acme']));
  expect(calls).toEqual([
    'update acme/poll-vendor',
    ...SCHEDULED.filter((stream) => stream !== 'pollVendor').map(
      (stream) => `create ${workflowIds.scheduled('acme', stream)}`,
    ),
    'list',
    ...ofGone.map((id) => `delete ${id}`),
  ]);
  expect(waits.length).toBeGreaterThanOrEqual(4);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(100);
});

it('tells of a failure, so that it is tried again', async () => {
  const { client, calls, pause, fail } = namespaceWith();
  fail(1);
  await expect(reconcileSchedules(client, [tenantCalled('acme')], pause, null)).rejects.toThrow('out');
  await reconcileSchedules(client, [tenantCalled('acme')], pause, null);
  const created = SCHEDULED.map((stream) => `create ${workflowIds.scheduled('acme', stream)}`);
  expect(calls.filter((call) => call.startsWith('create'))).toEqual(created);
});

it('an audit repairs by itself, once a day unless the file says otherwise', () => {
  const { spec, action } = scheduleOf(tenantCalled('acme'), 'audit');
  expect(spec.intervals?.[0]?.every).toBe(86_400_000);
  expect(action).toMatchObject({ workflowId: 'acme/audit', args: [{ tenant: 'acme', repairs: true }] });
});
