/**
 * Activity proxies, grouped by retry policy. Each group contains only activities for which its policy is safe. All retries are made by
 * Temporal, none by the clients of the remotes.
 */
import type { ActivityOptions, RetryPolicy } from '@temporalio/common';
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { streamActivitiesOf } from '../src/domain/streams/streams.ts';
import { PRIORITIES, TASK_QUEUES } from '../temporal.config.ts';

type Name = keyof Activities;
/** Options for one call of an activity. They do not include the task queue and the retry policy, which the activity's proxy sets. */
type CallOptions<Said> = Said & { readonly [Option in Exclude<keyof ActivityOptions, keyof Said>]?: never };
type With<Said, Run extends Activities[Name]> = {
  executeWithOptions(options: CallOptions<Said>, args: Parameters<Run>): ReturnType<Run>;
};

type Proxies<N extends Name> = {
  readonly [K in N]: Activities[K] & With<{ readonly summary: string }, Activities[K]>;
};

type VendorKind = 'read' | 'write';
type Kind = VendorKind | 'decision';
type VendorCall<K extends VendorKind> = {
  readonly summary: string;
  readonly priority: {
    readonly priorityKey: (typeof PRIORITIES)[K | (K extends 'read' ? 'bulk' : 'bulkWrite')];
    readonly fairnessKey: string;
  };
};
/** Proxies for activities that send vendor requests. Each call needs options, because the options name the tenant of the request. */
type VendorProxies<K extends VendorKind, N extends Name> = {
  readonly [A in N]: With<VendorCall<K>, Activities[A]>;
};

/** The usual heartbeat time-out of activities: if no heartbeat came for this long, the worker counts as dead. */
const WORKER_DEAD = '15 seconds';
/**
 * The heartbeat time-out for activities with hundreds of records. It is longer than usual, so that no retry starts while a slow first
 * attempt is still running.
 */
const LANE_DEAD = '30 seconds';
/**
 * The value in place of a heartbeat time-out for an activity that sends no heartbeats. It sends none, because Temporal Cloud bills each
 * heartbeat. Reports in the ledger (Lockstep's database) show whether the worker that reads a shard (a group of tenants) is alive
 * (`src/worker/shard-beats.ts`).
 */
const BY_LEDGER = 'by-ledger';

const BUGS = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'];

const RETRIES = {
  /**
   * The retry policy for activities that do no harm if they are repeated: Temporal retries them until they succeed. If a request was
   * throttled, the failure says when to retry.
   */
  read: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    // A bug fails its record at once, because a retry cannot cure it.
    nonRetryableErrorTypes: BUGS,
  },
  /**
   * The retry policy for reads of one record. Temporal does not retry them if a remote system fails temporarily. The workflow then shows in
   * Temporal's UI what the record waits for, and observes the record again later. Temporal does retry them after other failures, for
   * example if the worker died.
   */
  decision: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    nonRetryableErrorTypes: [...BUGS, 'TRANSIENT', 'THROTTLED'],
  },
  /**
   * The retry policy for writes. A write is sent once. After a failure, only a new observation shows whether the remote system applied it.
   */
  write: { maximumAttempts: 1 },
} as const satisfies Readonly<Record<Kind, RetryPolicy>>;

/** Proxy of the activity that reads a record in the CRM and decides. */
export const decisions = proxiesOf('decision', '1 minute', ['planSync']);

/**
 * Proxies of repeatable activities about a tenant's outages, overdue records, records whose remotes do not answer, keys, backfills and
 * undos.
 */
export const upkeep = proxiesOf('read', '1 minute', [
  'reportOutage',
  'probeGroup',
  'resumeGroup',
  'drainDue',
  'notifyWaiting',
  'wakeOverdue',
  'parkUnanswered',
  'publishStatus',
  'remindOfKey',
  'settleKey',
  'beginBackfill',
  'findOpportunities',
  'advanceBackfill',
  'endBackfill',
  'beginUndo',
  'advanceUndo',
  'endUndo',
]);

/**
 * Proxy of the activity that reads the streams (regular reads of changed rows) of many tenants for minutes. If its worker dies, another
 * worker continues at once.
 */
export const shards = proxiesOf('read', '10 minutes', ['readTenants'], BY_LEDGER);

/** Proxy of the activity that syncs many records. Temporal may retry it, because the ledger (Lockstep's database) stores each step. */
export const lanes = proxiesOf('read', '10 minutes', ['syncRecords'], LANE_DEAD);

/**
 * Proxies of those steps of the audit that use only the CRM and the ledger (Lockstep's database). They read from both, and mark records in
 * the ledger as due for a sync.
 */
export const audits = proxiesOf('read', '10 minutes', [
  'beginAudit',
  'auditCrmPage',
  'auditCrmRest',
  'listUnproven',
  'finishAudit',
]);

/** Proxies of activities that read changes in the CRM. One call reads many pages. */
export const crmStreams = proxiesOf('read', '10 minutes', streamActivitiesOf('salesforce'));

export const crmWrites = proxiesOf('write', '2 minutes', ['writeCrm', 'createInCrm', 'reportToCrm']);

export const vendorReads = vendorProxiesOf('read', ['readVendor', 'searchVendor', 'proveApiKey'], RETRIES.decision);

/**
 * Proxy of the activity that reads one vendor record and sends the update that results. It is never retried, because an update is a write.
 */
export const vendorReadAndUpdate = vendorProxiesOf('read', ['readVendor'], RETRIES.write, '90 seconds');

/** Proxies of the backfill's vendor requests. Temporal retries them until they succeed. */
export const vendorBackfill = vendorProxiesOf('read', ['findVendorRecords', 'matchVendorRecord', 'matchVendorRecords']);

/** Proxies of activities that read changes at the vendor. One call reads at most one page from the vendor, with one request. */
export const vendorStreams = vendorProxiesOf('read', streamActivitiesOf('vendor'));

/** Proxies of those steps of the audit that send one vendor request each. */
export const vendorAudits = vendorProxiesOf('read', ['auditVendorPeriod', 'auditVendorRecord']);

export const vendorWrites = vendorProxiesOf('write', ['createAtVendor', 'updateAtVendor', 'createApiKey']);

/**
 * Proxies of local activities, which are tried first for a step; each costs one history event instead of six. They are short and never
 * retried, because the workflow task lasts as long as they do. After a failure, the workflow schedules the ordinary activity, or observes
 * the record again. If Temporal repeats a write, the repeated write fails, because each plan (the stored decision that the write executes)
 * can be sent only once.
 */
export const firstTry: Proxies<'planSync' | 'writeCrm'> = {
  planSync: triedOnce('5 seconds').planSync,
  // An org may take seconds to save. If it takes longer, the workflow schedules the ordinary activity.
  writeCrm: triedOnce('10 seconds').writeCrm,
};

function triedOnce(startToCloseTimeout: '5 seconds' | '10 seconds') {
  return proxyLocalActivities<Activities>({ startToCloseTimeout, retry: { maximumAttempts: 1 } });
}

/**
 * Options for reading from the vendor. The tenant is Temporal's fairness key, so that tenants do not wait for each other's requests. Bulk
 * reads come last.
 */
export function vendorRead(tenant: string, summary: string, isBulk = false): VendorCall<'read'> {
  const priorityKey = isBulk ? PRIORITIES.bulk : PRIORITIES.read;
  return { summary, priority: { priorityKey, fairnessKey: tenant } };
}

/** Options for a vendor request for which no user waits. It comes after other requests. */
export function vendorBulk(tenant: string, summary: string): VendorCall<'read'> {
  return { summary, priority: { priorityKey: PRIORITIES.bulk, fairnessKey: tenant } };
}

/** Options for writing to the vendor. Writes come before reads, so that a decision does not become outdated in the queue. */
export function vendorWrite(tenant: string, summary: string, isBulk = false): VendorCall<'write'> {
  const priorityKey = isBulk ? PRIORITIES.bulkWrite : PRIORITIES.write;
  return { summary, priority: { priorityKey, fairnessKey: tenant } };
}

function proxiesOf<N extends Name>(
  kind: Kind,
  startToCloseTimeout: '1 minute' | '2 minutes' | '10 minutes',
  names: readonly N[],
  dead: typeof WORKER_DEAD | typeof LANE_DEAD | typeof BY_LEDGER = WORKER_DEAD,
): Proxies<N> {
  const beats = dead === BY_LEDGER ? {} : { heartbeatTimeout: dead };
  return picked({ taskQueue: TASK_QUEUES.sync, startToCloseTimeout, retry: RETRIES[kind], ...beats }, names);
}

function vendorProxiesOf<K extends VendorKind, N extends Name>(
  kind: K,
  names: readonly N[],
  retry: RetryPolicy = RETRIES[kind],
  // The HTTP client gives up after 30 seconds; the rest is time to store the outcome.
  startToCloseTimeout: '45 seconds' | '90 seconds' = '45 seconds',
): VendorProxies<K, N> {
  const heartbeatTimeout = WORKER_DEAD;
  return picked({ taskQueue: TASK_QUEUES.vendor, startToCloseTimeout, heartbeatTimeout, retry }, names);
}

/** Proxies that contain only the named activities, also at run time. `Group`: the SDK's type of such a proxy. */
function picked<Group>(options: ActivityOptions, names: readonly (Name & keyof Group)[]): Group {
  const all = proxyActivities<Activities>(options);
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Group;
}
