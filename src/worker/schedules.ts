import { createHash } from 'node:crypto';
import {
  type ScheduleClient,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { STREAM_NAMES, type StreamName } from '../domain/streams/streams.ts';
import { everyMs } from '../platform/stream-rhythm.ts';
import type { Tenant } from '../platform/tenant.ts';

/** A namespace takes ten schedule requests a second, of all workers that start together. */
const PAUSE_MS = 250;

export type SchedulesClient = Pick<ScheduleClient, 'create' | 'getHandle' | 'list'>;

/**
 * Brings the schedules, one a tenant and stream, to what the tenant files say, and takes those of tenants without a file
 * away. Slowly, so that it takes nothing from those who work by schedules meanwhile. Repeatable; rejects with the client's
 * error.
 */
export async function reconcileSchedules(
  client: SchedulesClient,
  tenants: readonly Tenant[],
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  for (const tenant of tenants) {
    for (const stream of STREAM_NAMES) {
      await ensure(client, scheduleOf(tenant, stream));
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
export function scheduleOf(tenant: Tenant, stream: StreamName): ScheduleOptions {
  const name = tenant.tenant;
  const every = everyMs(tenant, stream);
  const id = workflowIds.scheduled(name, stream);
  return {
    scheduleId: id,
    spec: { intervals: [{ every, offset: offsetOf(id, every) }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType: stream,
      workflowId: id,
      taskQueue: TASK_QUEUES.sync,
      args: [{ tenant: name }],
      staticSummary: `${name}: ${stream}`,
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
    const stream = STREAM_NAMES.find((name) => name === action?.workflowType);
    if (stream === undefined) continue;
    const tenant = scheduleId.slice(0, Math.max(0, scheduleId.lastIndexOf('/')));
    const isOurs = workflowIds.scheduled(tenant, stream) === scheduleId;
    if (isOurs && !tenants.has(tenant)) ids.push(scheduleId);
  }
  return ids;
}
