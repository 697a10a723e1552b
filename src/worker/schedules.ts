import { createHash } from 'node:crypto';
import {
  type ScheduleClient,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { STREAM_NAMES } from '../domain/streams/streams.ts';
import { everyMs } from '../platform/stream-rhythm.ts';
import type { Tenant } from '../platform/tenant.ts';

/** The workflows that a tenant's schedules start. */
export const SCHEDULED = [...STREAM_NAMES, 'audit'] as const;
export type Scheduled = (typeof SCHEDULED)[number];

/** A namespace takes ten schedule requests a second, of all workers that start together. */
const PAUSE_MS = 250;

export type SchedulesClient = Pick<ScheduleClient, 'create' | 'getHandle' | 'list'>;

/**
 * Brings the schedules, one a tenant and stream and one of its audit, to what the tenant files say, and takes those of tenants without a file
 * away. Slowly, so that it takes nothing from those who work by schedules meanwhile. Repeatable; rejects with the client's
 * error.
 */
export async function reconcileSchedules(
  client: SchedulesClient,
  tenants: readonly Tenant[],
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  for (const tenant of tenants) {
    for (const workflow of SCHEDULED) {
      await ensure(client, scheduleOf(tenant, workflow));
      await pause(PAUSE_MS);
    }
  }
  const names = new Set(tenants.map(({ tenant }) => tenant));
  for (const id of await idsWithoutTenant(client, names)) {
    await client.getHandle(id).delete();
    await pause(PAUSE_MS);
  }
}

/** One run at a time: a run that is late is followed by the next, never joined by it. */
export function scheduleOf(tenant: Tenant, workflow: Scheduled): ScheduleOptions {
  const name = tenant.tenant;
  const every = workflow === 'audit' ? tenant.audit.everyMs : everyMs(tenant, workflow);
  const id = workflowIds.scheduled(name, workflow);
  return {
    scheduleId: id,
    spec: { intervals: [{ every, offset: offsetOf(id, every) }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: id,
      taskQueue: TASK_QUEUES.sync,
      args: [workflow === 'audit' ? { tenant: name, repairs: true } : { tenant: name }],
      staticSummary: `${name}: ${workflow}`,
      typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: name }],
    },
  };
}

/** Intervals count from the epoch, so without it all tenants' schedules fire in the same second. */
function offsetOf(id: string, everyMs: number): number {
  return createHash('sha256').update(id).digest().readUInt32BE() % everyMs;
}

async function ensure(client: SchedulesClient, options: ScheduleOptions): Promise<void> {
  const handle = client.getHandle(options.scheduleId);
  try {
    await handle.update((current) => ({
      ...current,
      spec: options.spec,
      action: options.action as typeof current.action,
      policies: { ...current.policies, ...options.policies },
    }));
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    await client.create(options);
  }
}

/** Schedules of ours, by id and workflow, whose tenant is not among these. */
async function idsWithoutTenant(
  client: SchedulesClient,
  tenants: ReadonlySet<string>,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { scheduleId, action } of client.list()) {
    const workflow = SCHEDULED.find((name) => name === action?.workflowType);
    if (workflow === undefined) continue;
    const tenant = scheduleId.slice(0, Math.max(0, scheduleId.lastIndexOf('/')));
    const isOurs = workflowIds.scheduled(tenant, workflow) === scheduleId;
    if (isOurs && !tenants.has(tenant)) ids.push(scheduleId);
  }
  return ids;
}
