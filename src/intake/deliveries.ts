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
 * What became of a delivery: `fresh`, stored and signalled; `duplicate`, it was both before; `stored`, the ledger holds
 * it and its signals are on their way; `too-many`, it was not taken, since too many records of its tenant wait already.
 */
export type DeliveryOutcome = 'fresh' | 'duplicate' | 'stored' | 'too-many';

export interface Deliveries {
  /** Rejects when it could not be stored in time, or its signals failed while the sender was still held. */
  take(tenant: string, source: DeliverySource, delivery: Delivery): Promise<DeliveryOutcome>;
}

/**
 * Takes deliveries in, and says when their senders may be answered. The sender may forget a delivery as soon as the ledger holds it: were
 * its signals lost, its links would stay due and be woken as overdue. `lost` is called with signals that failed after the sender had
 * been answered.
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
