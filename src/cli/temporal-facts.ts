import type { Client, Connection } from '@temporalio/client';
import { TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import type { ShardInput } from '../../workflows/messages.ts';
import { shardOf } from '../domain/streams/shards.ts';
import type { Routing, TemporalFacts } from '../operator/doctor/judge-installation.ts';
import { missingSearchAttributes } from '../worker/search-attributes.ts';

/** Reads the facts about a Temporal server that the checks of one tenant need. Changes nothing. */
export async function temporalFacts(
  client: Client,
  connection: Connection,
  { address, namespace, tenant }: { readonly address: string; readonly namespace: string; readonly tenant: string },
): Promise<TemporalFacts> {
  const missingAttributes = await missingSearchAttributes(connection, namespace);
  const schedule = await scheduleFor(client, tenant);
  const described = await Promise.all(
    Object.values(TASK_QUEUES).map(async (name) => [name, await describeQueue(connection, namespace, name)] as const),
  );
  const config = described.find(([name]) => name === TASK_QUEUES.vendor)?.[1].config;
  return {
    address,
    namespace,
    missingAttributes,
    missingSchedules: schedule.state === 'missing' ? [schedule.id] : [],
    pausedSchedules: schedule.state === 'paused' ? [schedule.id] : [],
    pollers: Object.fromEntries(described.map(([name, { pollers }]) => [name, pollers?.length ?? 0])),
    routing: Object.fromEntries(described.map(([name, queue]) => [name, routingOf(queue)])),
    vendorRate: rateOf(config, tenant),
    vendorPartitions: await partitionsOf(connection, namespace, TASK_QUEUES.vendor),
  };
}

type ScheduleState = { readonly id: string; readonly state: 'there' | 'missing' | 'paused' };

/**
 * The state of the Temporal schedule that polls this tenant's streams (sources of changes). Tenants are polled in groups (shards), each
 * with its own schedule. The tenant's shard follows from its name and the number of shards, which the input of the first shard's schedule
 * contains.
 */
async function scheduleFor(client: Client, tenant: string): Promise<ScheduleState> {
  const [first, of] = await scheduleOfShard(client, 0);
  if (first.state === 'missing') return first;
  return (await scheduleOfShard(client, shardOf(tenant, of)))[0];
}

async function scheduleOfShard(client: Client, shard: number): Promise<readonly [ScheduleState, number]> {
  const id = workflowIds.readTenants(shard);
  const described = await client.schedule
    .getHandle(id)
    .describe()
    .catch(() => null);
  if (described === null) return [{ id, state: 'missing' }, 1];
  const [input] = (described.action.args ?? []) as readonly ShardInput[];
  return [{ id, state: described.state.paused ? 'paused' : 'there' }, input?.of ?? 1];
}

/**
 * Temporal's code `TASK_QUEUE_TYPE_ACTIVITY`. Under one name, Temporal keeps a queue of activity tasks and a queue of workflow tasks.
 * Lockstep has activities under both of its task queue names, so it is enough to examine the activity queues.
 */
const ACTIVITY = 2;

type Queue = Awaited<ReturnType<Connection['workflowService']['describeTaskQueue']>>;

function describeQueue(connection: Connection, namespace: string, name: string): Promise<Queue> {
  const taskQueue = { name };
  return connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue,
    taskQueueType: ACTIVITY,
    reportConfig: true,
  });
}

/**
 * The number of partitions in which the server keeps a queue's activity tasks. Null if the server does not answer; Temporal Cloud, for
 * example, may not.
 */
async function partitionsOf(connection: Connection, namespace: string, name: string): Promise<number | null> {
  const parts = await connection.workflowService
    .listTaskQueuePartitions({ namespace, taskQueue: { name } })
    .catch(() => null);
  return parts?.activityTaskQueuePartitions?.length ?? null;
}

/** Temporal's code `WORKER_VERSIONING_MODE_VERSIONED`, which means that a worker has a version. */
const VERSIONED = 2;

function routingOf({ versioningInfo, pollers }: Queue): Routing {
  return {
    to: versionOf(versioningInfo?.currentDeploymentVersion),
    polled: pollers.map(({ deploymentOptions }) =>
      deploymentOptions?.workerVersioningMode === VERSIONED ? versionOf(deploymentOptions) : null,
    ),
  };
}

type Version = { readonly deploymentName?: string | null; readonly buildId?: string | null };

function versionOf(version: Version | null | undefined): string | null {
  return version?.buildId ? `${version.deploymentName ?? ''}:${version.buildId}` : null;
}

/**
 * The tenant's rate limit on a task queue; null if it has none. The tenant is a fairness key of the queue, so its limit is the queue's
 * default rate per key times the tenant's weight.
 */
function rateOf(config: Queue['config'], tenant: string): number | null {
  const byKey = config?.fairnessKeysRateLimitDefault?.rateLimit?.requestsPerSecond;
  if (typeof byKey !== 'number' || byKey === 0) return null;
  return byKey * (config?.fairnessWeightOverrides?.[tenant] ?? 1);
}
