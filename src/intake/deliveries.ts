import { TimeLimitError, withinTime } from '../platform/time-limit.ts';
import {
  DELIVERY_LIMITS,
  type Delivery,
  type DeliveryIntake,
  type DeliveryLimits,
  type DeliverySource,
} from './delivery.ts';
import { createDeliveryQueue, type DeliveryTracing } from './delivery-queue.ts';

/**
 * `fresh`: stored and signalled. `duplicate`: stored before. `stored`: stored, signals under way. `too-many`: refused, too many records
 * wait.
 */
export type DeliveryOutcome = 'fresh' | 'duplicate' | 'stored' | 'too-many';

export interface Deliveries {
  /** Stores a delivery and signals its records. Rejects if storing takes too long, or if signals fail before the sender got its answer. */
  take(tenant: string, source: DeliverySource, delivery: Delivery): Promise<DeliveryOutcome>;
}

/**
 * Receives deliveries and decides when their senders get an answer. A stored delivery is not lost: if its signals are, its links are woken
 * as overdue. `lost` receives failures of signals after the sender got its answer.
 */
export function createDeliveries(
  intake: DeliveryIntake,
  now: () => Date,
  lost: (tenant: string, error: unknown) => void,
  limits: DeliveryLimits = DELIVERY_LIMITS,
  tracing: DeliveryTracing | null = null,
): Deliveries {
  const queue = createDeliveryQueue(intake, now, limits, tracing);
  return {
    take: async (tenant, source, delivery) => {
      const way = queue.enter(tenant, source, delivery);
      if (way === null) return 'too-many';
      const startedMs = performance.now();
      await withinTime(way.stored, limits.storeMs);
      try {
        return await withinTime(way.done, Math.max(0, limits.holdMs - (performance.now() - startedMs)));
      } catch (error) {
        if (!(error instanceof TimeLimitError)) throw error;
        way.done.catch((late: unknown) => lost(tenant, late));
        return 'stored';
      }
    },
  };
}
