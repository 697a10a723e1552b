import { withinTime } from '../platform/time-limit.ts';
import type { Intake } from './intake.ts';

/** The part of the intake that webhooks are handed to. */
export type DeliveryIntake = Pick<Intake, 'recordDelivery' | 'wake' | 'markSignalled' | 'ready'>;

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
export async function takeDelivery(
  intake: DeliveryIntake,
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
    await intake.wake(tenant, [...new Set(recorded.keys)], 'crm');
    await intake.markSignalled(tenant, delivery.id, now().toISOString());
    return 'fresh';
  }
}
