import { type RawBuilder, sql } from 'kysely';
import type { Statement, Store } from '../core/store.ts';
import type { LinkLedger } from './link-ledger.ts';

/**
 * Stores that the sync of a link is about to stop, with the time `at`; keeps a stored time at or after `since`. Then counts the linked
 * pairs with such a time at or after `since`, from which the caller judges whether too many records stop at once. Each caller stores before
 * it counts, so that of two concurrent callers at least one counts both links.
 */
export const noteDetaching: Statement<LinkLedger, 'noteDetaching'> = async (store, tenant, key, at, since) => {
  await sql`
    update links set detached_at = ${at}::timestamptz
    where tenant = ${tenant} and key = ${key} and state not in ('detached', 'vendor-missing')
      and (detached_at is null or detached_at < ${since}::timestamptz)`.execute(store.db);
  return countPairs(store, tenant, sql`detached_at >= ${since}::timestamptz`);
};

export const countLinked: Statement<LinkLedger, 'countLinked'> = async (store, tenant, since, limit) => {
  const left = await countPairs(store, tenant, sql`detached_at >= ${since}::timestamptz`, limit);
  return left + (await countPairs(store, tenant, sql`detached_at is null`, limit - left));
};

/**
 * Counts the tenant's linked pairs that meet a condition on `detached_at`. The index `links_detaching` contains this column, so that
 * PostgreSQL reads no other links.
 */
async function countPairs(
  { db }: Store,
  tenant: string,
  isMeant: RawBuilder<unknown>,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from (
      select from links
      where tenant = ${tenant} and crm_id is not null and vendor_id is not null and ${isMeant}
      limit ${limit}
    ) pairs`.execute(db);
  return Number(rows[0]?.count ?? 0);
}
