import { sql } from 'kysely';
import type { Store } from '../core/store.ts';

/** Marked in one statement, so that none holds others up for long. */
const AT_ONCE = 10_000;

/** Longer than anything that was linked and forgotten goes without a change that shows it. */
const REMEMBERED = sql`interval '30 days'`;

/**
 * Notes that the ledger was brought back to an earlier state: what its links say was agreed may be older than what both sides show.
 * How many links. Repeatable, and to be repeated where it was cut short.
 */
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

/** What a link that is opened has to know: it may have been there, and be forgotten. */
export function restoredBefore(at: string) {
  return sql<string | null>`(
    select max(r.at) from restores r where r.at > ${at}::timestamptz - ${REMEMBERED} and r.at <= ${at}::timestamptz)`;
}
