import { sql } from 'kysely';
import type { Store } from '../core/store.ts';

/** The maximum number of links that one statement changes, so that row locks stay short. */
const AT_ONCE = 10_000;

/**
 * How long Lockstep remembers that the ledger was restored from a backup. A link that is opened within this time gets the time of the
 * restore (`restored_at`), because the backup may lack an earlier link of the same record. Lockstep assumes that every record with a lost
 * link changes within this time.
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
 * SQL for `restored_at` of a new link: the time of a restore from a backup within the last 30 days, which may have lost an earlier link of
 * the record; null if there was none.
 */
export function restoredBefore(at: string) {
  return sql<string | null>`(
    select max(r.at) from restores r where r.at > ${at}::timestamptz - ${REMEMBERED} and r.at <= ${at}::timestamptz)`;
}
