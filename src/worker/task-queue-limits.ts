import type { Connection } from '@temporalio/client';
import { DEFAULT_VENDOR_RATE, TASK_QUEUES } from '../../temporal.config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';

/** Temporal's code `TASK_QUEUE_TYPE_ACTIVITY`. */
const ACTIVITY = 2;

export type VendorRates = {
  readonly tenants: readonly Pick<Tenant, 'tenant' | 'vendor'>[];
  /** Names of removed tenants. Their weights on the task queue are deleted. */
  readonly gone?: readonly string[];
};

/**
 * Sets the rate limits of the vendor's task queue in Temporal: each tenant is a fairness key, whose weight is its `ratePerSecond` divided
 * by the default rate. If the server does not support this, requests are shared out less evenly. The quota gate (the ledger's check before
 * each vendor request) still limits them.
 */
export async function limitVendorQueue(
  connection: Connection,
  namespace: string,
  rates: VendorRates,
  log: Logger,
): Promise<void> {
  try {
    for (const weights of weightsOf(rates))
      await connection.workflowService.updateTaskQueueConfig({
        namespace,
        identity: 'lockstep',
        taskQueue: TASK_QUEUES.vendor,
        taskQueueType: ACTIVITY,
        updateFairnessKeyRateLimitDefault: {
          rateLimit: { requestsPerSecond: DEFAULT_VENDOR_RATE },
          reason: 'requests a second of one tenant',
        },
        ...weights,
      });
  } catch (err) {
    log.warn('this Temporal server takes no rate limit per tenant', { taskQueue: TASK_QUEUES.vendor, err });
  }
}

/**
 * The maximum number of tenants whose weights one request sets or deletes. A Temporal server accepts a thousand names in a request, so 500
 * is half of the limit. The server also stores a thousand weights.
 */
const AT_ONCE = 500;

export type Weights = {
  readonly setFairnessWeightOverrides: Record<string, number>;
  readonly unsetFairnessWeightOverrides: string[];
};

/**
 * The tenants' weights on the task queue, divided into requests of limited size. The first request also sets the default rate, even if no
 * tenant has a weight. A tenant with the default rate needs no weight.
 */
export function weightsOf({ tenants, gone = [] }: VendorRates): readonly Weights[] {
  const weights = [
    ...gone.map((tenant) => [tenant, 1] as const),
    ...tenants.map(({ tenant, vendor }) => [tenant, vendor.ratePerSecond / DEFAULT_VENDOR_RATE] as const),
  ];
  const parts = Math.max(1, Math.ceil(weights.length / AT_ONCE));
  return Array.from({ length: parts }, (_, n) => {
    const part = weights.slice(n * AT_ONCE, (n + 1) * AT_ONCE);
    return {
      setFairnessWeightOverrides: Object.fromEntries(part.filter(([, weight]) => weight !== 1)),
      unsetFairnessWeightOverrides: part.filter(([, weight]) => weight === 1).map(([tenant]) => tenant),
    };
  });
}
