import { sql } from 'kysely';
import type { Store } from './store.ts';
import type { CatalogChange } from './watch-ledger.ts';

/** What a refresh has shown otherwise than it counts so far. Where only what the CRM shows of a row is not known, it has not changed. */
export async function catalogChanges(
  { db }: Store,
  tenant: string,
  refresh: string,
  objects: readonly string[],
  most: number,
): Promise<readonly CatalogChange[]> {
  type Row = { object: string; change: CatalogChange['change']; rows: string; ids: string[] };
  const { rows } = await sql<Row>`
    select object, change, count(*) as rows, (array_agg(row_id order by row_id))[1:${sql.raw(String(most))}] as ids
    from (
      select object, row_id, case
        when fingerprint = 'left' or (fingerprint = '' and not taken) then 'appeared'
        when fingerprint <> '' and fingerprint <> next_fingerprint then 'changed' end as change
      from mirror_rows
      where tenant = ${tenant} and object = any(${[...objects]}::text[]) and next_fingerprint is not null
        and seen = ${refresh}) as shown
    where change is not null group by object, change order by object, change`.execute(db);
  return rows.map(({ object, change, rows: count, ids }) => ({ object, change, rows: Number(count), ids }));
}
