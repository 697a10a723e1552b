import {
  ScheduleAlreadyRunning,
  type ScheduleClient,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { ReadTenantsArgs } from '../../activities/fleet/read-tenants.ts';
import { TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { type Shard, shardsFor } from '../domain/streams/shards.ts';
import { STREAM_NAMES } from '../domain/streams/streams.ts';

/** A namespace takes ten schedule requests a second, of all workers that start together. */
const PAUSE_MS = 250;

/** A run of a shard lasts so long, shorter than its activity may; the next follows at once. */
const RUN_MS = 540_000;

export type SchedulesClient = Pick<ScheduleClient, 'create' | 'getHandle' | 'list'>;
type Pause = (ms: number) => Promise<void>;

/** The schedules of a fleet of so many tenants: one a shard. */
export function schedulesOf(tenants: number): readonly ScheduleOptions[] {
  const of = shardsFor(tenants);
  return Array.from({ length: of }, (_, shard) => scheduleOf({ shard, of }));
}

/**
 * Brings the schedules of the shards to what so many tenants need, and takes away those of ours that are none of them. Slowly, so
 * that it takes nothing from others that use the namespace. Repeatable; rejects with the client's error.
 */
export async function reconcileSchedules(
  client: SchedulesClient,
  tenants: number,
  pause: Pause,
): Promise<void> {
  const wanted = schedulesOf(tenants);
  for (const options of wanted) {
    await ensure(client, options);
    await pause(PAUSE_MS);
  }
  const ids = new Set(wanted.map(({ scheduleId }) => scheduleId));
  for (const id of (await ownSchedules(client)).filter((own) => !ids.has(own))) {
    await remove(client, id);
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

/** One run at a time: the next follows at once where one is late, and no two are of the same second. */
function scheduleOf({ shard, of }: Shard): ScheduleOptions {
  const id = workflowIds.readTenants(shard);
  return {
    scheduleId: id,
    spec: { intervals: [{ every: RUN_MS, offset: Math.floor((shard / of) * RUN_MS) }] },
    policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE, catchupWindow: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType: 'readTenants',
      workflowId: id,
      taskQueue: TASK_QUEUES.sync,
      args: [{ shard, of, forMs: RUN_MS } satisfies ReadTenantsArgs],
      staticSummary: `the tenants of shard ${shard + 1} of ${of}`,
    },
  };
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

/** Begins at once, not only at its next time. Another worker may have made it meanwhile, and as it is said here. */
async function create(client: SchedulesClient, options: ScheduleOptions): Promise<void> {
  try {
    await client.create({ ...options, state: { triggerImmediately: true } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

/** Workflows that shards start for a tenant, or do without. */
const TENANTS_OWN: ReadonlySet<string> = new Set([...STREAM_NAMES, 'audit']);
/** What starts a workflow that is a tenant's own has its id, which ends as the workflow's file is called. */
const OF_A_TENANT = /^[a-z0-9-]+\/[a-z-]+$/;
const OF_A_SHARD = /^shards\//;

/** Ids of schedules that are ours: those of shards, and one a tenant and workflow, which a shard stands for. */
async function ownSchedules(client: SchedulesClient): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { scheduleId, action } of client.list()) {
    const type = action?.workflowType;
    if (type === undefined) continue;
    const isShards = type === 'readTenants' && OF_A_SHARD.test(scheduleId);
    const tenant = scheduleId.slice(0, Math.max(0, scheduleId.lastIndexOf('/')));
    const isTenants = OF_A_TENANT.test(scheduleId) && workflowIds.scheduled(tenant, type) === scheduleId;
    if (isShards || (isTenants && TENANTS_OWN.has(type))) found.push(scheduleId);
  }
  return found;
}
