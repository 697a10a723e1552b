import { sql } from 'kysely';
import type { Store } from '../core/store.ts';
import type { RowVersion } from './stream-ledger.ts';

export async function unseenRows<Row extends RowVersion>(
  store: Store,
  tenant: string,
  stream: string,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (rows.length === 0) return [];
  const { rows: known } = await sql<{ row_id: string; stamp: Date }>`
    select row_id, stamp from seen_rows
    where tenant = ${tenant} and stream = ${stream} and row_id = any(${rows.map(({ rowId }) => rowId)}::text[])`.execute(
    store.db,
  );
  const stamps = new Map(known.map(({ row_id, stamp }) => [row_id, stamp.getTime()]));
  return rows.filter(({ rowId, stamp }) => stamps.get(rowId) !== Date.parse(stamp));
}

/**
 * SQL that stores the row versions (record id and time of change) that a sweep (a query for changes in the CRM) has read. It also deletes
 * versions from before `forgetBefore`, but not those of records that the insert writes. Insert and delete are parts of one statement, and
 * both see the table as it was before. So the delete would otherwise also find the old version of such a record. PostgreSQL does not define
 * which of the two changes takes effect, so the new version could be lost.
 */
export function remembering(
  tenant: string,
  stream: string,
  { rows, forgetBefore }: { readonly rows: readonly RowVersion[]; readonly forgetBefore: string },
) {
  const newest = [...new Map(rows.map((row) => [row.rowId, row])).values()].filter(
    ({ stamp }) => Date.parse(stamp) >= Date.parse(forgetBefore),
  );
  const ids = newest.map(({ rowId }) => rowId);
  const forgotten = sql`forgotten as (
    delete from seen_rows
    where tenant = ${tenant} and stream = ${stream} and stamp < ${forgetBefore}::timestamptz
      and row_id <> all(${ids}::text[]))`;
  if (ids.length === 0) return forgotten;
  return sql`remembered as (
    insert into seen_rows (tenant, stream, row_id, stamp)
    select ${tenant}, ${stream}, row_id, stamp
    from unnest(${ids}::text[], ${newest.map(({ stamp }) => stamp)}::timestamptz[]) as shown (row_id, stamp)
    order by row_id
    on conflict (tenant, stream, row_id) do update set stamp = excluded.stamp), ${forgotten}`;
}
