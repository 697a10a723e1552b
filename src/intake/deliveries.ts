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
  wake(tenant: string, keys: readonly string[]): Promise<void>;
  /** Throws when the ledger or Temporal cannot be reached. */
  ready(): Promise<void>;
}

export type DeliverySource = 'outbound-message' | 'signed-event';

export type Delivery = {
  /** The same when the same message is sent again. */
  readonly id: string;
  /** Records to look at, each once. */
  readonly crmIds: readonly string[];
};

/**
 * Stores a delivery, then signals, then notes that it was signalled; only then may the sender be told to forget it.
 * Throws when any of it fails or takes longer than `limitMs`. Work that was cut off by the limit goes on: the sender's
 * retry then finds it done.
 */
export async function takeIn(
  intake: Intake,
  request: {
    readonly tenant: string;
    readonly source: DeliverySource;
    readonly delivery: Delivery;
    readonly now: () => Date;
    readonly limitMs: number;
  },
): Promise<'fresh' | 'duplicate'> {
  return withinTime(storeAndSignal(), request.limitMs);

  async function storeAndSignal(): Promise<'fresh' | 'duplicate'> {
    const { tenant, source, delivery, now } = request;
    const recorded = await intake.recordDelivery(tenant, { ...delivery, source, at: now().toISOString() });
    if (!recorded.fresh) return 'duplicate';
    await intake.wake(tenant, [...new Set(recorded.keys)]);
    await intake.markSignalled(tenant, delivery.id, now().toISOString());
    return 'fresh';
  }
}
