import { ScheduleNotFoundError } from '@temporalio/client';
import { expect, it } from 'vitest';
import { silentLogger } from '../../../src/platform/logger.ts';
import type { Tenant } from '../../../src/platform/tenant.ts';
import type { Roster } from '../../../src/platform/tenant-roster.ts';
import { keepSchedules } from '../../../src/worker/keep-schedules.ts';
import { SCHEDULED, type SchedulesClient } from '../../../src/worker/schedules.ts';
import { weightsOf } from '../../../src/worker/task-queue-limits.ts';
import { workflowIds } from '../../../temporal.config.ts';
import { until } from '../../support/until.ts';

/** Schedules follow the roster. */

const soon = async (): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
};

const tenantCalled = (tenant: string, ratePerSecond = 5): Tenant =>
  ({
    tenant,
    vendor: { poll: { everyMs: 60_000 }, ratePerSecond },
    salesforce: { sweep: { everyMs: 300_000 } },
    audit: { everyMs: 86_400_000 },
  }) as unknown as Tenant;

function aNamespace(...ids: readonly string[]) {
  const schedules = new Set(ids);
  const client = {
    list: async function* () {
      for (const scheduleId of schedules) yield { scheduleId, action: { workflowType: 'audit' } };
    },
    getHandle: (id: string) => ({
      update: async () => {
        if (!schedules.has(id)) throw new ScheduleNotFoundError('none', id);
      },
      delete: async () => {
        if (!schedules.delete(id)) throw new ScheduleNotFoundError('none', id);
      },
    }),
    create: async ({ scheduleId }: { scheduleId: string }) => void schedules.add(scheduleId),
  } as unknown as SchedulesClient;
  return { client, schedules };
}

it('takes those away of whom nobody knows anything, keeps those of a tenant that is only unavailable here, and follows', async () => {
  const [strange, elsewhere] = ['stranger/audit', 'elsewhere/audit'];
  const { client, schedules } = aNamespace(strange, elsewhere);
  const none = {
    served: new Map(),
    unavailable: new Map([['elsewhere', 'it has no key']]),
    removed: new Map(),
  };
  let roster: Roster = none;
  let listener: (names: readonly string[]) => void = () => {};
  const ended: unknown[] = [];
  const over = new AbortController();
  const keeping = keepSchedules(
    {
      client,
      log: silentLogger,
      pause: soon,
      endWorkflows: async (...told) => void ended.push(told),
      roster: { roster: () => roster, refresh: async () => {}, onChange: (told) => (listener = told) },
    },
    over.signal,
  );
  await until('the stranger is gone', async () => !schedules.has(strange));
  expect([...schedules]).toEqual([elsewhere]);

  roster = { ...none, served: new Map([['acme', { tenant: tenantCalled('acme'), version: 1 }]]) };
  listener(['acme']);
  await until('acme has its schedules', async () => schedules.size === 1 + SCHEDULED.length);

  roster = { ...none, removed: new Map([['acme', 2]]) };
  listener(['acme']);
  await until('its workflows are ended', async () => ended.length > 0);
  expect(ended).toEqual([['acme', 2]]);
  expect([...schedules]).toEqual([elsewhere]);
  expect(schedules).not.toContain(workflowIds.scheduled('acme', 'audit'));
  over.abort();
  await keeping;
});

it('does not keep a tenant waiting that comes while there are many others to begin with', async () => {
  const { client, schedules } = aNamespace();
  const many = ['a', 'b', 'c', 'd'].map(
    (name) => [name, { tenant: tenantCalled(name), version: 1 }] as const,
  );
  let roster: Roster = { served: new Map(many), unavailable: new Map(), removed: new Map() };
  let listener: (names: readonly string[]) => void = () => {};
  const over = new AbortController();
  const keeping = keepSchedules(
    {
      client,
      log: silentLogger,
      endWorkflows: async () => {},
      roster: { roster: () => roster, refresh: async () => {}, onChange: (told) => (listener = told) },
      pause: async () => {
        await soon();
        if (schedules.size !== 3 || roster.served.has('urgent')) return;
        roster = {
          ...roster,
          served: new Map([...many, ['urgent', { tenant: tenantCalled('urgent'), version: 1 }]]),
        };
        listener(['urgent']);
      },
    },
    over.signal,
  );
  const expected = SCHEDULED.length * (many.length + 1);
  await until('all have their schedules', async () => schedules.size === expected);
  const order = [...new Set([...schedules].map((id) => id.split('/')[0]))];
  expect(order).toEqual(['a', 'urgent', 'b', 'c', 'd']);
  over.abort();
  await keeping;
});

it('does not keep a tenant waiting for one of which something fails, and tries that again', async () => {
  const { client, schedules } = aNamespace('stranger/audit');
  let roster: Roster = { served: new Map(), unavailable: new Map(), removed: new Map() };
  let listener: (names: readonly string[]) => void = () => {};
  const ended: string[] = [];
  const minute = Promise.withResolvers<void>();
  const over = new AbortController();
  const keeping = keepSchedules(
    {
      client,
      log: silentLogger,
      endWorkflows: async (name) => {
        if (schedules.size < SCHEDULED.length) throw new Error('Temporal does something else');
        ended.push(name);
      },
      roster: { roster: () => roster, refresh: async () => {}, onChange: (told) => (listener = told) },
      // A minute passes when the test says so.
      pause: (ms) => (ms < 60_000 ? soon() : minute.promise),
    },
    over.signal,
  );
  await until('the first look is over', async () => schedules.size === 0);
  const served = new Map([['fresh', { tenant: tenantCalled('fresh'), version: 1 }]]);
  roster = { ...roster, served, removed: new Map([['gone', 2]]) };
  listener(['gone', 'fresh']);
  await until('the other has its schedules', async () => schedules.size === SCHEDULED.length, 5_000);
  minute.resolve();
  await until('what failed is done', async () => ended.includes('gone'), 5_000);
  over.abort();
  await keeping;
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
