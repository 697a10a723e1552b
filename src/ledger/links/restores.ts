import { sql } from 'kysely';
import type { Store } from '../core/store.ts';

/** How many links one statement changes at most, so that row locks stay short. */
const AT_ONCE = 10_000;

/**
 * For how long after a restore from a backup a new link is marked, because the restore may have lost an earlier link of the record.
 * Lockstep assumes that every lost record changes within this time.
 */
const REMEMBERED = sql`interval '30 days'`;

export async function noteRestored({ db }: Store, at: string): Promise<number> {
  await sql`insert into restores (at) values (${at}::timestamptz) on conflict do nothing`.execute(db);
  let marked = 0;
  for (let after = { tenant: '', key: '' }; ; ) {
    const { rows } = await sql<{ tenant: string; key: string }>`
      with next as (
        select tenant, key from links where (tenant, key) > (${after.tenant}, ${after.key})
        order by tenant, key limit ${AT_ONCE}
      ), done as (
        update links l set restored_at = ${at}::timestamptz from next
        where l.tenant = next.tenant and l.key = next.key
      )
      select tenant, key from next order by tenant, key`.execute(db);
    marked += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return marked;
    after = last;
  }
}

/**
 * SQL for the value that a new link stores: the time of a recent restore from a backup, which may have lost an earlier link of the record;
 * null if there was none.
 */
export function restoredBefore(at: string) {
  return sql<string | null>`(
    select max(r.at) from restores r where r.at > ${at}::timestamptz - ${REMEMBERED} and r.at <= ${at}::timestamptz)`;
}
