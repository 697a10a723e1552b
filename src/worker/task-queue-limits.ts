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

/** A server takes a thousand names in a request, and keeps as many weights. */
const AT_ONCE = 500;

export type Weights = {
  readonly setFairnessWeightOverrides: Record<string, number>;
  readonly unsetFairnessWeightOverrides: string[];
};

/** Of a tenant whose rate is the default no weight is kept. One request at least, which says the default. */
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
