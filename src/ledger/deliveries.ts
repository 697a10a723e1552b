import { markDue } from './due.ts';
import type { Store } from './store.ts';

export type Delivery = {
  readonly id: string;
  readonly source: string;
  readonly crmIds: readonly string[];
  readonly at: string;
};

/**
 * Stores a delivery and marks its links due; runs inside a transaction. A redelivery of one that was never signalled
 * is marked and signalled again; two at once wait for each other on the delivery's row.
 */
export async function recordDelivery(
  store: Store,
  tenant: string,
  delivery: Delivery,
): Promise<{ fresh: boolean; keys: readonly string[] }> {
  await store.db
    .insertInto('deliveries')
    .values({ tenant, id: delivery.id, source: delivery.source, keys: [], received_at: delivery.at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await store.db
    .selectFrom('deliveries')
    .select(['keys', 'signalled_at'])
    .where('tenant', '=', tenant)
    .where('id', '=', delivery.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (stored.signalled_at !== null) return { fresh: false, keys: stored.keys };
  const ids = delivery.crmIds.map((crmId) => ({ crmId }));
  const keys = await markDue(store, tenant, ids, delivery.at);
  await store.db
    .updateTable('deliveries')
    .set({ keys: [...keys] })
    .where('tenant', '=', tenant)
    .where('id', '=', delivery.id)
    .execute();
  return { fresh: true, keys };
}

/** The first signal's time stays. */
export async function markSignalled(
  store: Store,
  tenant: string,
  deliveryId: string,
  at: string,
): Promise<void> {
  await store.db
    .updateTable('deliveries')
    .set({ signalled_at: at })
    .where('tenant', '=', tenant)
    .where('id', '=', deliveryId)
    .where('signalled_at', 'is', null)
    .execute();
}

export async function forgetDeliveries(store: Store, tenant: string, before: string): Promise<number> {
  const { numDeletedRows } = await store.db
    .deleteFrom('deliveries')
    .where('tenant', '=', tenant)
    .where('received_at', '<', new Date(before))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
