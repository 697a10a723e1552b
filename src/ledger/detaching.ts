import { sql } from 'kysely';
import type { DetachCounts } from '../domain/decide/mass-change.ts';
import type { Store } from './store.ts';

/**
 * Notes that a link is about to leave, then counts, so that of many that ask at the same time each sees the others
 * that asked before it. One that does not leave after all is forgotten when its next state is settled.
 */
export async function noteDetaching(
  store: Store,
  tenant: string,
  key: string,
  at: string,
  since: string,
): Promise<DetachCounts> {
  await sql`
    update links set detached_at = ${at}::timestamptz
    where tenant = ${tenant} and key = ${key} and state not in ('detached', 'vendor-missing')
      and (detached_at is null or detached_at < ${since}::timestamptz)`.execute(store.db);
  const { rows } = await sql<{ detaching: string; linked: string }>`
    select count(*) filter (where detached_at >= ${since}::timestamptz) as detaching,
           count(*) filter (where detached_at is null or detached_at >= ${since}::timestamptz) as linked
    from links
    where tenant = ${tenant} and crm_id is not null and vendor_id is not null`.execute(store.db);
  return { detaching: Number(rows[0]?.detaching ?? 0), linked: Number(rows[0]?.linked ?? 0) };
}
