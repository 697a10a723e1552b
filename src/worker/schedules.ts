import { createHash } from 'node:crypto';
import {
  ScheduleAlreadyRunning,
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
 * Brings the schedules of these tenants, one a stream and one of the audit, to what is declared of them. `kept`, where it is given,
 * tells whose schedules may be there, as it is when they are counted; those of others are taken away. Slowly, so that it takes
 * nothing from those who work by schedules meanwhile. Repeatable; rejects with the client's error.
 */
export async function reconcileSchedules(
  client: SchedulesClient,
  tenants: readonly Tenant[],
  pause: (ms: number) => Promise<void>,
  kept: (() => Promise<ReadonlySet<string>>) | null,
): Promise<void> {
  for (const tenant of tenants) {
    for (const workflow of SCHEDULED) {
      await ensure(client, scheduleOf(tenant, workflow));
      await pause(PAUSE_MS);
    }
  }
  if (kept === null) return;
  const found = await ownSchedules(client);
  const names = await kept();
  for (const { id } of found.filter(({ tenant }) => !names.has(tenant))) {
    await remove(client, id);
    await pause(PAUSE_MS);
  }
}

/** Takes a tenant's schedules away, those that are there. */
export async function removeSchedules(
  client: SchedulesClient,
  tenant: string,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  for (const workflow of SCHEDULED) {
    await remove(client, workflowIds.scheduled(tenant, workflow));
    await pause(PAUSE_MS);
  }
}

/** Another worker may do the same at the same time. */
async function remove(client: SchedulesClient, id: string): Promise<void> {
  try {
    await client.getHandle(id).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
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
    await create(client, options);
  }
}

/** Another worker may have made it meanwhile, and as it is said here. */
async function create(client: SchedulesClient, options: ScheduleOptions): Promise<void> {
  try {
    await client.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

/** Schedules of ours, by id and workflow. */
async function ownSchedules(
  client: SchedulesClient,
): Promise<readonly { readonly id: string; readonly tenant: string }[]> {
  const found: { id: string; tenant: string }[] = [];
  for await (const { scheduleId, action } of client.list()) {
    const workflow = SCHEDULED.find((name) => name === action?.workflowType);
    if (workflow === undefined) continue;
    const tenant = scheduleId.slice(0, Math.max(0, scheduleId.lastIndexOf('/')));
    if (workflowIds.scheduled(tenant, workflow) === scheduleId) found.push({ id: scheduleId, tenant });
  }
  return found;
}
