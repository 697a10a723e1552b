/**
 * Activity proxies, grouped by what a repeat would break. Temporal is the only owner of retries: the libraries
 * below do not repeat anything by themselves.
 */
import type { ActivityOptions, RetryPolicy } from '@temporalio/common';
import { type ActivityInterfaceFor, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { PRIORITIES, TASK_QUEUES } from '../temporal.config.ts';

type Proxies = ActivityInterfaceFor<Activities>;

/** Reads change nothing, so Temporal repeats them until they answer; a throttled one says itself when to come back. */
const READ_RETRY: RetryPolicy = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '1 minute',
  // A bug does not go away by trying again: it fails its own record, loudly, and nobody else's.
  nonRetryableErrorTypes: ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'],
};

/** Every activity beats while it runs: this long without a beat, and its worker is dead. */
const WORKER_DEAD = '15 seconds';

/** Reads of the CRM and the ledger, and decisions. */
export const reads: Proxies = proxyActivities<Activities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: WORKER_DEAD,
  retry: READ_RETRY,
});

/**
 * A first try within the workflow task, which costs one event of history instead of six. One try and little time: a
 * workflow task must not be held up, so a CRM that is slow or out is left to the ordinary activity and its retries.
 */
export const firstTry = proxyLocalActivities<Activities>({
  startToCloseTimeout: '5 seconds',
  retry: { maximumAttempts: 1 },
});

/**
 * Writes leave once. After a refusal, a time-out or a lost answer the workflow observes again and decides again,
 * because only a new observation tells whether the write was applied.
 */
export const crmWrites: Proxies = proxyActivities<Activities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: WORKER_DEAD,
  retry: { maximumAttempts: 1 },
});

/** The client gives up after 30 seconds; then the outcome has to reach the ledger. */
const VENDOR_LIMIT = '45 seconds';

/** Options of one vendor read: the tenant is the fairness key, so that none waits behind another's backlog. */
export function vendorRead(tenant: string, summary: string): ActivityOptions {
  return {
    taskQueue: TASK_QUEUES.vendor,
    startToCloseTimeout: VENDOR_LIMIT,
    heartbeatTimeout: WORKER_DEAD,
    retry: READ_RETRY,
    priority: { priorityKey: PRIORITIES.read, fairnessKey: tenant },
    summary,
  };
}

/** Options of one vendor write: ahead of reads, so that what was decided does not grow old in the queue. */
export function vendorWrite(tenant: string, summary: string): ActivityOptions {
  return {
    taskQueue: TASK_QUEUES.vendor,
    startToCloseTimeout: VENDOR_LIMIT,
    heartbeatTimeout: WORKER_DEAD,
    retry: { maximumAttempts: 1 },
    priority: { priorityKey: PRIORITIES.write, fairnessKey: tenant },
    summary,
  };
}
