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

/** The pause between two requests about schedules, in ms. A namespace accepts ten such requests a second from all workers together. */
const PAUSE_MS = 250;

/**
 * How long a scheduled run reads the streams (sources of changes) of its shard (group of tenants), in milliseconds. It is shorter than the
 * activity's time-out; the next run starts at once afterwards.
 */
export const RUN_MS = 540_000;

export type SchedulesClient = Pick<ScheduleClient, 'create' | 'getHandle' | 'list'>;
type Pause = (ms: number) => Promise<void>;

/** The Temporal schedules for this many tenants: one for each shard (group of tenants). */
export function schedulesOf(tenants: number): readonly ScheduleOptions[] {
  const of = shardsFor(tenants);
  return Array.from({ length: of }, (_, shard) => scheduleOf({ shard, of }));
}

/**
 * Creates, updates and deletes the schedules of shards (groups of tenants), with pauses between the requests. Idempotent; rejects with the
 * client's error.
 */
export async function reconcileSchedules(client: SchedulesClient, tenants: number, pause: Pause): Promise<void> {
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

/** Deletes a schedule. If it does not exist, this is no error, because another worker may delete it at the same time. */
async function remove(client: SchedulesClient, id: string): Promise<void> {
  try {
    await client.getHandle(id).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

/**
 * The schedule of a shard (group of tenants). Its runs never overlap: if a run takes longer than the interval, the next run starts when the
 * first one ends. The schedules of different shards start at different times.
 */
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

/**
 * Creates the schedule of a shard (group of tenants) and starts its first run at once, as a backfill of the last interval. The SDK's
 * `triggerImmediately` is not used, because the overlap policy ignores the run that it starts (SDK 1.24.0). The next scheduled run could
 * then read the same shard at the same time. If the schedule exists, this is no error, because another worker may have created it at the
 * same time.
 */
async function create(client: SchedulesClient, options: ScheduleOptions): Promise<void> {
  const end = new Date();
  const last = { start: new Date(end.getTime() - RUN_MS), end, overlap: ScheduleOverlapPolicy.SKIP };
  try {
    await client.create({ ...options, state: { backfill: [last] } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

/**
 * Types of workflows that the runs of shards (groups of tenants) start for single tenants. If a tenant has its own schedule for such a
 * type, the schedule is from an older release and is deleted.
 */
const TENANTS_OWN: ReadonlySet<string> = new Set([...STREAM_NAMES, 'audit']);
/** Matches the id of a schedule for a single tenant, which only older releases created: the tenant, then the workflow's file name. */
const OF_A_TENANT = /^[a-z0-9-]+\/[a-z-]+$/;
const OF_A_SHARD = /^shards\//;

/** Ids of all schedules of Lockstep: those of shards (groups of tenants), and those of single tenants from older releases. */
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
