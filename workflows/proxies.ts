/**
 * Activity proxies: each group offers just the activities that may go with its retry policy, so that nothing which must
 * not be repeated can leave through a group that repeats. Temporal is the only owner of retries: the libraries below
 * do not repeat anything by themselves.
 */
import type { ActivityOptions, RetryPolicy } from '@temporalio/common';
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { streamActivitiesOf } from '../src/domain/streams/streams.ts';
import { PRIORITIES, TASK_QUEUES } from '../temporal.config.ts';

type Name = keyof Activities;
/** What a call of an activity says besides its arguments; where it runs and how it is repeated is its group's. */
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
/** Every vendor request names its tenant, so none of them is called without options. */
type VendorProxies<K extends VendorKind, N extends Name> = {
  readonly [A in N]: With<VendorCall<K>, Activities[A]>;
};

/** Every activity beats while it runs: this long without a beat, and its worker is dead. */
const WORKER_DEAD = '15 seconds';
/** Longer for what carries hundreds at once: on a machine that is overloaded a beat may be late, and each of them would then go on alone. */
const LANE_DEAD = '30 seconds';

const BUGS = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'];

const RETRIES = {
  /** Reads change nothing, so Temporal repeats them until they answer; a throttled one says itself when to come back. */
  read: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    // A bug does not go away by trying again: it fails its own record, loudly, and nobody else's.
    nonRetryableErrorTypes: BUGS,
  },
  /**
   * Looks at one record are repeated where their worker is gone. What a remote fails with is for the workflow: only that
   * can show what it waits for, and observes anew when it has waited.
   */
  decision: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    nonRetryableErrorTypes: [...BUGS, 'TRANSIENT', 'THROTTLED'],
  },
  /**
   * Writes leave once. After a refusal, a time-out or a lost answer the workflow observes again and decides again,
   * because only a new observation tells whether the write was applied.
   */
  write: { maximumAttempts: 1 },
} as const satisfies Readonly<Record<Kind, RetryPolicy>>;

/** Looks at a record in the CRM, and decides. */
export const decisions = proxiesOf('decision', '1 minute', ['planSync']);

/** What keeps a tenant going: its outages, what has been due for long, what is not answered. All of it may be repeated. */
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
]);

/** Reads many tenants for minutes; where its worker is gone another goes on at once. */
export const shards = proxiesOf('read', '10 minutes', ['readTenants']);

/**
 * Carries many records. It writes, and is repeated all the same: what of it left or is done the ledger tells, so that a second try
 * goes on where the first one died.
 */
export const lanes = proxiesOf('read', '10 minutes', ['syncRecords'], LANE_DEAD);

/** Steps of an audit on the CRM and the ledger; they read, and mark due what has to be looked at. */
export const audits = proxiesOf('read', '10 minutes', [
  'beginAudit',
  'auditCrmPage',
  'auditCrmRest',
  'listUnproven',
  'finishAudit',
]);

/** Streams that go through many pages in one attempt. */
export const crmStreams = proxiesOf('read', '10 minutes', streamActivitiesOf('salesforce'));

export const crmWrites = proxiesOf('write', '2 minutes', ['writeCrm', 'createInCrm', 'reportToCrm']);

export const vendorReads = vendorProxiesOf(
  'read',
  ['readVendor', 'searchVendor', 'proveApiKey'],
  RETRIES.decision,
);

/** A look at one record with the update that it leads to: both are tried once, as the second is a write. */
export const vendorReadAndUpdate = vendorProxiesOf('read', ['readVendor'], RETRIES.write, '90 seconds');

/** What a backfill asks of the vendor itself; tried until it is answered. */
export const vendorBackfill = vendorProxiesOf('read', [
  'findVendorRecords',
  'matchVendorRecord',
  'matchVendorRecords',
]);

/** Streams of which each page is a request to the vendor. */
export const vendorStreams = vendorProxiesOf('read', streamActivitiesOf('vendor'));

/** Steps of an audit of which each is a request to the vendor. */
export const vendorAudits = vendorProxiesOf('read', ['auditVendorPeriod', 'auditVendorRecord']);

export const vendorWrites = vendorProxiesOf('write', ['createAtVendor', 'updateAtVendor', 'createApiKey']);

/**
 * A first try within the workflow task, which costs one event of history instead of six. One try and little time: a
 * workflow task must not be held up, so a CRM that is slow or out is left to the ordinary activity and its retries. Where the worker
 * dies in it, all that was tried in the task is tried again: a plan leaves once, so that a write is observed and never repeated.
 */
export const firstTry: Proxies<'planSync' | 'writeCrm'> = {
  planSync: triedOnce('5 seconds').planSync,
  // An org may take seconds to save; one that takes longer is written to by the ordinary activity.
  writeCrm: triedOnce('10 seconds').writeCrm,
};

function triedOnce(startToCloseTimeout: '5 seconds' | '10 seconds') {
  return proxyLocalActivities<Activities>({ startToCloseTimeout, retry: { maximumAttempts: 1 } });
}

/**
 * How a vendor read is called: the tenant is the fairness key, so that none waits behind another's backlog. One of bulk work comes
 * after the others.
 */
export function vendorRead(tenant: string, summary: string, isBulk = false): VendorCall<'read'> {
  const priorityKey = isBulk ? PRIORITIES.bulk : PRIORITIES.read;
  return { summary, priority: { priorityKey, fairnessKey: tenant } };
}

/** The same for one of many that nobody waits for. */
export function vendorBulk(tenant: string, summary: string): VendorCall<'read'> {
  return { summary, priority: { priorityKey: PRIORITIES.bulk, fairnessKey: tenant } };
}

/** The same for a write: ahead of reads, so that what was decided does not grow old in the queue. */
export function vendorWrite(tenant: string, summary: string, isBulk = false): VendorCall<'write'> {
  const priorityKey = isBulk ? PRIORITIES.bulkWrite : PRIORITIES.write;
  return { summary, priority: { priorityKey, fairnessKey: tenant } };
}

function proxiesOf<N extends Name>(
  kind: Kind,
  startToCloseTimeout: '1 minute' | '2 minutes' | '10 minutes',
  names: readonly N[],
  heartbeatTimeout: typeof WORKER_DEAD | typeof LANE_DEAD = WORKER_DEAD,
): Proxies<N> {
  const retry = RETRIES[kind];
  return picked({ taskQueue: TASK_QUEUES.sync, startToCloseTimeout, heartbeatTimeout, retry }, names);
}

function vendorProxiesOf<K extends VendorKind, N extends Name>(
  kind: K,
  names: readonly N[],
  retry: RetryPolicy = RETRIES[kind],
  // The client gives up on a request after 30 seconds; then the outcome has to reach the ledger.
  startToCloseTimeout: '45 seconds' | '90 seconds' = '45 seconds',
): VendorProxies<K, N> {
  return picked({ taskQueue: TASK_QUEUES.vendor, startToCloseTimeout, retry }, names);
}

/** The proxies of these activities, and at run time too of no others; `Group` is a narrower view of the SDK's own type. */
function picked<Group>(options: ActivityOptions, names: readonly (Name & keyof Group)[]): Group {
  const all = proxyActivities<Activities>({ heartbeatTimeout: WORKER_DEAD, ...options });
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Group;
}
