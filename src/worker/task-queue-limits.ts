import type { Connection } from '@temporalio/client';
import { DEFAULT_VENDOR_RATE, TASK_QUEUES } from '../../temporal.config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';

/** `TASK_QUEUE_TYPE_ACTIVITY` of Temporal's API. */
const ACTIVITY = 2;

/**
 * Shapes the vendor queue across the fleet: each tenant, as fairness key, gets its own rate; a weight scales the
 * common default to the tenant's `ratePerSecond`. The quota gate decides in the end, so a server without this
 * feature costs smoothness and nothing else.
 */
export async function limitVendorQueue(
  connection: Connection,
  namespace: string,
  tenants: readonly Tenant[],
  log: Logger,
): Promise<void> {
  const weights = tenants.map(
    ({ tenant, vendor }) => [tenant, vendor.ratePerSecond / DEFAULT_VENDOR_RATE] as const,
  );
  try {
    await connection.workflowService.updateTaskQueueConfig({
      namespace,
      identity: 'lockstep',
      taskQueue: TASK_QUEUES.vendor,
      taskQueueType: ACTIVITY,
      updateFairnessKeyRateLimitDefault: {
        rateLimit: { requestsPerSecond: DEFAULT_VENDOR_RATE },
        reason: 'requests a second of one tenant',
      },
      setFairnessWeightOverrides: Object.fromEntries(weights),
    });
  } catch (err) {
    log.warn('this Temporal server takes no rate limit per tenant', { taskQueue: TASK_QUEUES.vendor, err });
  }
}
