import { sql } from 'kysely';
import { isMany } from '../../domain/loop/work-class.ts';
import type { Statement, Store } from '../core/store.ts';
import { markDue } from './due.ts';
import type { Delivery, QueueLedger } from './queue-ledger.ts';

/**
 * Stores any number of deliveries (webhook messages from the CRM) with a few statements, and marks the links of their records due.
 * Concurrent calls wait for each other's row locks.
 */
export const recordDeliveries: Statement<QueueLedger, 'recordDeliveries'> = async (store, tenant, deliveries, at) => {
  const stored = await storeDeliveries(store, tenant, deliveries, at);
  const fresh = deliveries.filter(({ id }) => !stored.has(id));
  const crmIds = [...new Set(fresh.flatMap((delivery) => delivery.crmIds))];
  const together = new Set(fresh.flatMap((delivery) => (isMany(delivery.crmIds) ? delivery.crmIds : [])));
  const ids = crmIds.map((crmId) => ({ crmId }));
  const marked = await markDue(store, tenant, ids, at, ({ crmId }) => together.has(crmId ?? ''));
  const keyOf = new Map(crmIds.map((crmId, index) => [crmId, marked[index] as string]));
  const keysOf = (delivery: Delivery) => delivery.crmIds.map((crmId) => keyOf.get(crmId) as string);
  await saveKeys(store, tenant, new Map(fresh.map((delivery) => [delivery.id, keysOf(delivery)])));
  return deliveries.map((delivery) => {
    const keys = stored.get(delivery.id);
    return keys === undefined ? { fresh: true, keys: keysOf(delivery) } : { fresh: false, keys };
  });
};

/**
 * Inserts new deliveries (webhook messages), and locks the rows of all given deliveries in the order of their ids. Returns, by delivery id,
 * the link keys of deliveries whose workflows were already signalled.
 */
async function storeDeliveries(
  store: Store,
  tenant: string,
  deliveries: readonly Delivery[],
  at: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ids = deliveries.map(({ id }) => id);
  const sources = deliveries.map(({ source }) => source);
  await sql`
    insert into deliveries (tenant, id, source, keys, received_at)
    select ${tenant}, id, source, '{}', ${at}::timestamptz
    from unnest(${ids}::text[], ${sources}::text[]) as given (id, source)
    order by id
    on conflict do nothing`.execute(store.db);
  const rows = await store.db
    .selectFrom('deliveries')
    .select(['id', 'keys', 'signalled_at'])
    .where('tenant', '=', tenant)
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.flatMap(({ id, keys, signalled_at }) => (signalled_at === null ? [] : [[id, keys]])));
}

async function saveKeys(store: Store, tenant: string, keysOf: ReadonlyMap<string, readonly string[]>): Promise<void> {
  if (keysOf.size === 0) return;
  const given = JSON.stringify([...keysOf].map(([id, keys]) => ({ id, keys })));
  await sql`
    update deliveries d set keys = array(select jsonb_array_elements_text(given.keys))
    from jsonb_to_recordset(${given}::jsonb) as given (id text, keys jsonb)
    where d.tenant = ${tenant} and d.id = given.id`.execute(store.db);
}

/**
 * Stores when the workflows of the records in these deliveries (webhook messages) were signalled. A later signal does not change the stored
 * time.
 */
export const markSignalled: Statement<QueueLedger, 'markSignalled'> = async (store, tenant, deliveryIds, at) => {
  await sql`
    with chosen as (
      select id from deliveries
      where tenant = ${tenant} and id = any(${deliveryIds}::text[]) and signalled_at is null
      order by id for update
    )
    update deliveries d set signalled_at = ${at}::timestamptz
    from chosen where d.tenant = ${tenant} and d.id = chosen.id`.execute(store.db);
};
