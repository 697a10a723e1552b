import { withinTime } from '../platform/time-limit.ts';

/** What a delivery is handed to: the ledger and Temporal behind one port. Times are ISO strings. */
export interface Intake {
  /**
   * Stores a delivery and marks its links due, in one transaction. `fresh` is false for one that was stored and
   * signalled before; one that was stored and not signalled is fresh again.
   */
  recordDelivery(
    tenant: string,
    delivery: {
      readonly id: string;
      readonly source: string;
      readonly crmIds: readonly string[];
      readonly at: string;
    },
  ): Promise<{ readonly fresh: boolean; readonly keys: readonly string[] }>;
  markSignalled(tenant: string, deliveryId: string, at: string): Promise<void>;
  /** Signals the workflows of these links, starting those that do not run. */
  poke(tenant: string, keys: readonly string[]): Promise<void>;
  /** Throws when the ledger or Temporal cannot be reached. */
  ready(): Promise<void>;
}

export type DeliverySource = 'outbound-message' | 'signed-event';

export type Delivery = { readonly id: string; readonly crmIds: readonly string[] };

/** Few enough that one message of 100 notifications leaves connections of the ledger to others. */
const CONCURRENT_WRITES = 8;

/**
 * Stores all deliveries, then signals, then notes that they were signalled; only then may the sender be told to
 * forget them. Throws when any of it fails or takes longer than `limitMs`. Work that was cut off by the limit goes
 * on: the sender's retry then finds it done.
 */
export async function takeIn(
  intake: Intake,
  request: {
    readonly tenant: string;
    readonly source: DeliverySource;
    readonly deliveries: readonly Delivery[];
    readonly now: () => Date;
    readonly limitMs: number;
  },
): Promise<{ readonly fresh: number; readonly duplicate: number }> {
  return withinTime(storeAndSignal(), request.limitMs);

  async function storeAndSignal(): Promise<{ fresh: number; duplicate: number }> {
    const { tenant, source, deliveries } = request;
    const at = request.now().toISOString();
    const recorded = await mapLimited(deliveries, CONCURRENT_WRITES, async (delivery) => ({
      delivery,
      result: await intake.recordDelivery(tenant, { ...delivery, source, at }),
    }));
    const fresh = recorded.filter(({ result }) => result.fresh);
    const keys = [...new Set(fresh.flatMap(({ result }) => result.keys))];
    if (keys.length > 0) await intake.poke(tenant, keys);
    const signalledAt = request.now().toISOString();
    await mapLimited(fresh, CONCURRENT_WRITES, ({ delivery }) =>
      intake.markSignalled(tenant, delivery.id, signalledAt),
    );
    return { fresh: fresh.length, duplicate: recorded.length - fresh.length };
  }
}

async function mapLimited<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  async function drain(): Promise<void> {
    for (const [index, item] of queue) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, drain));
  return results;
}
