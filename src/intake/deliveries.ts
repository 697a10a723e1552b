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
 * What happened to a delivery (a received message). `fresh`: it is stored, and the workflows of its records are signalled. `stored`: it is
 * stored, and the workflows are still being signalled. `duplicate`: it was stored before. `too-many`: it is refused, because too many
 * records of the tenant already wait.
 */
export type DeliveryOutcome = 'fresh' | 'duplicate' | 'stored' | 'too-many';

export interface Deliveries {
  /**
   * Stores a delivery (a received message) and signals the workflows of its records. Rejects if storing fails or takes too long. Also
   * rejects if a signal fails while the sender still waits for its answer.
   */
  take(tenant: string, source: DeliverySource, delivery: Delivery): Promise<DeliveryOutcome>;
}

/**
 * Receives deliveries (messages) and decides when each sender gets its answer. A stored delivery cannot be lost: if the signals to its
 * records' workflows fail, Lockstep later finds the records overdue and signals the workflows again. `lost` is called if signals fail after
 * the sender has got its answer.
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
