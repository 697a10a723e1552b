import {
  type Client,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { type Rhythm, STREAM_NAMES, STREAMS, type StreamName } from '../domain/streams/streams.ts';
import type { Tenant } from '../platform/tenant.ts';

/** How often each setting says. */
const RHYTHMS: Readonly<Record<Rhythm, (tenant: Tenant) => number>> = {
  'vendor.poll': ({ vendor }) => vendor.poll.everyMs,
  'salesforce.sweep': ({ salesforce }) => salesforce.sweep.everyMs,
};

/** Brings each tenant's schedules, one a stream, to what its file says. */
export async function ensureSchedules(client: Client, tenants: readonly Tenant[]): Promise<void> {
  for (const tenant of tenants) {
    for (const stream of STREAM_NAMES) await ensure(client, scheduleOf(tenant, stream));
  }
}

/** One run at a time: a run that is late is followed by the next, never joined by it. */
export function scheduleOf(tenant: Tenant, stream: StreamName): ScheduleOptions {
  const name = tenant.tenant;
  const { every } = STREAMS[stream];
  const id = workflowIds.scheduled(name, stream);
  return {
    scheduleId: id,
    spec: { intervals: [{ every: typeof every === 'number' ? every : RHYTHMS[every](tenant) }] },
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

async function ensure(client: Client, options: ScheduleOptions): Promise<void> {
  const handle = client.schedule.getHandle(options.scheduleId);
  try {
    await handle.update((current) => ({
      ...current,
      spec: options.spec,
      action: options.action as typeof current.action,
      policies: { ...current.policies, ...options.policies },
    }));
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    await client.schedule.create(options);
  }
}
