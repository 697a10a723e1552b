import type { Connection } from '@temporalio/client';
import { DEFAULT_VENDOR_RATE, TASK_QUEUES } from '../../temporal.config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';

/** `TASK_QUEUE_TYPE_ACTIVITY` of Temporal's API. */
const ACTIVITY = 2;

export type VendorRates = {
  readonly tenants: readonly Pick<Tenant, 'tenant' | 'vendor'>[];
  /** Names of tenants that are gone. */
  readonly gone?: readonly string[];
};

/**
 * Shapes the vendor queue across the fleet: each tenant, as fairness key, gets its own rate; a weight scales the
 * common default to the tenant's `ratePerSecond`. What is said of other tenants stays. The quota gate decides in the end, so a
 * server without this feature costs smoothness and nothing else.
 */
export async function limitVendorQueue(
  connection: Connection,
  namespace: string,
  rates: VendorRates,
  log: Logger,
): Promise<void> {
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
      ...weightsOf(rates),
    });
  } catch (err) {
    log.warn('this Temporal server takes no rate limit per tenant', { taskQueue: TASK_QUEUES.vendor, err });
  }
}

/** A server keeps few weights: one is kept of a tenant whose rate is not the default alone. */
export function weightsOf({ tenants, gone = [] }: VendorRates): {
  readonly setFairnessWeightOverrides: Record<string, number>;
  readonly unsetFairnessWeightOverrides: string[];
} {
  const isUsual = ({ vendor }: VendorRates['tenants'][number]): boolean =>
    vendor.ratePerSecond === DEFAULT_VENDOR_RATE;
  const weights = tenants
    .filter((one) => !isUsual(one))
    .map(({ tenant, vendor }) => [tenant, vendor.ratePerSecond / DEFAULT_VENDOR_RATE] as const);
  return {
    setFairnessWeightOverrides: Object.fromEntries(weights),
    unsetFairnessWeightOverrides: [...tenants.filter(isUsual).map(({ tenant }) => tenant), ...gone],
  };
}
