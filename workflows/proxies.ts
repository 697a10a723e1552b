/**
 * Activity proxies, grouped by what a repeat would break. Temporal is the only owner of retries: the libraries
 * below do not repeat anything by themselves.
 */
import type { ActivityOptions, RetryPolicy } from '@temporalio/common';
import { type ActivityInterfaceFor, proxyActivities } from '@temporalio/workflow';
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

/** Reads of the CRM and the ledger, and decisions. */
export const reads: Proxies = proxyActivities<Activities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '1 minute',
  retry: READ_RETRY,
});

/**
 * Writes leave once. After a refusal, a time-out or a lost answer the workflow observes again and decides again,
 * because only a new observation tells whether the write was applied.
 */
export const crmWrites: Proxies = proxyActivities<Activities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '2 minutes',
  retry: { maximumAttempts: 1 },
});

/** The client gives up after 30 seconds; what takes longer has lost its worker, and is seen to soon. */
const VENDOR_LIMIT = '45 seconds';

/** Options of one vendor read: the tenant is the fairness key, so that none waits behind another's backlog. */
export function vendorRead(tenant: string, summary: string): ActivityOptions {
  return {
    taskQueue: TASK_QUEUES.vendor,
    startToCloseTimeout: VENDOR_LIMIT,
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
    retry: { maximumAttempts: 1 },
    priority: { priorityKey: PRIORITIES.write, fairnessKey: tenant },
    summary,
  };
}
