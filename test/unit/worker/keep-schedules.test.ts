import { ScheduleNotFoundError } from '@temporalio/client';
import { expect, it } from 'vitest';
import { silentLogger } from '../../../src/platform/logger.ts';
import type { Tenant } from '../../../src/platform/tenant.ts';
import type { Roster } from '../../../src/platform/tenant-roster.ts';
import { keepSchedules } from '../../../src/worker/keep-schedules.ts';
import type { SchedulesClient } from '../../../src/worker/schedules.ts';
import { weightsOf } from '../../../src/worker/task-queue-limits.ts';
import { until } from '../../support/until.ts';

/** Schedules follow the roster. */

const soon = async (): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
};

const tenantCalled = (tenant: string, ratePerSecond = 5): Tenant =>
  ({ tenant, vendor: { ratePerSecond } }) as unknown as Tenant;

const NONE: Roster = { served: new Map(), unavailable: new Map(), removed: new Map() };
const served = (count: number) =>
  new Map(Array.from({ length: count }, (_, n) => [`t${n}`, { tenant: tenantCalled(`t${n}`), version: 1 }]));

function aNamespace(...ids: readonly string[]) {
  const schedules = new Set(ids);
  let failing = 0;
  const client = {
    list: async function* () {
      for (const scheduleId of schedules) yield { scheduleId, action: { workflowType: 'audit' } };
    },
    getHandle: (id: string) => ({
      update: async () => {
        if (failing > 0) {
          failing -= 1;
          throw new Error('out');
        }
        if (!schedules.has(id)) throw new ScheduleNotFoundError('none', id);
      },
      delete: async () => {
        if (!schedules.delete(id)) throw new ScheduleNotFoundError('none', id);
      },
    }),
    create: async ({ scheduleId }: { scheduleId: string }) => void schedules.add(scheduleId),
  } as unknown as SchedulesClient;
  const fail = (times: number): void => {
    failing = times;
  };
  return { client, schedules, fail };
}

/** What keeps the schedules of a roster that a test changes. */
function keeping(
  client: SchedulesClient,
  first: Roster,
  given: {
    readonly endWorkflows?: (tenant: string, version: number) => Promise<void>;
    readonly pause?: (ms: number) => Promise<void>;
  } = {},
) {
  let roster = first;
  let listener: (names: readonly string[]) => void = () => {};
  const over = new AbortController();
  const done = keepSchedules(
    {
      client,
      log: silentLogger,
      pause: given.pause ?? soon,
      endWorkflows: given.endWorkflows ?? (async () => {}),
      roster: { roster: () => roster, onChange: (result) => (listener = result) },
    },
    over.signal,
  );
  return {
    become: (next: Roster, ...names: readonly string[]) => {
      roster = next;
      listener(names);
    },
    end: async () => {
      over.abort();
      await done;
    },
  };
}

it('has as many as the tenants need, those that only another process can have among them, and takes those away that stand for one tenant', async () => {
  const { client, schedules } = aNamespace('acme/audit');
  const unavailable = new Map([['elsewhere', 'it has no key']]);
  const kept = keeping(client, { ...NONE, served: served(64), unavailable });
  await until('both shards are there', async () => schedules.size === 2 && !schedules.has('acme/audit'));
  kept.become({ ...NONE, served: served(300), unavailable }, 't299');
  await until('there are five', async () => schedules.size === 5);
  await kept.end();
});

it('ends what runs for a tenant that is removed', async () => {
  const { client } = aNamespace();
  const ended: unknown[] = [];
  const endWorkflows = async (...result: unknown[]) => void ended.push(result);
  const kept = keeping(client, { ...NONE, removed: new Map([['long ago', 7]]) }, { endWorkflows });
  await until('what was removed before is ended', async () => ended.length === 1);
  kept.become({ ...NONE, removed: new Map([['acme', 2]]) }, 'acme');
  await until('its workflows are ended', async () => ended.length === 2);
  expect(ended).toEqual([
    ['long ago', 7],
    ['acme', 2],
  ]);
  await kept.end();
});

it('tries again what fails, and does the rest meanwhile', async () => {
  const { client, schedules, fail } = aNamespace();
  fail(1);
  const minute = Promise.withResolvers<void>();
  const ended: string[] = [];
  const kept = keeping(
    client,
    { ...NONE, removed: new Map([['gone', 2]]) },
    {
      endWorkflows: async (name) => void ended.push(name),
      // A minute passes when the test says so.
      pause: (ms) => (ms < 60_000 ? soon() : minute.promise),
    },
  );
  await until('the tenant is ended', async () => ended.includes('gone'));
  expect(schedules.size).toBe(0);
  minute.resolve();
  await until('the schedule is there', async () => schedules.size === 1);
  await kept.end();
});

it('has the vendor queue keep a weight of those alone whose rate is not the usual one', () => {
  const rates = { tenants: [tenantCalled('usual'), tenantCalled('fast', 50)], gone: ['gone'] };
  expect(weightsOf(rates)).toEqual([
    { setFairnessWeightOverrides: { fast: 10 }, unsetFairnessWeightOverrides: ['gone', 'usual'] },
  ]);
  expect(weightsOf({ tenants: [] })).toHaveLength(1);
});

it('tells the vendor queue of no more tenants at once than a server takes', () => {
  const tenants = Array.from({ length: 2_100 }, (_, n) => tenantCalled(`t${n}`, n % 4 === 0 ? 50 : 5));
  const parts = weightsOf({ tenants });
  const names = parts.map(({ setFairnessWeightOverrides: set, unsetFairnessWeightOverrides: unset }) => [
    ...Object.keys(set),
    ...unset,
  ]);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
  expect(new Set(names.flat()).size).toBe(2_100);
});
