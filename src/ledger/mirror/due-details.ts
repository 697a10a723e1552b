import { sql } from 'kysely';
import type { Statement, Store } from '../core/store.ts';
import { moveCursor } from '../streams/cursors.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';
import type { DetailsLimit, DueDetail, FoundDetails, MirrorLedger } from './mirror-ledger.ts';

/**
 * Stores that the details of these rows (such as the lines of orders) must be read at the vendor. Leaves out rows that were already read in
 * this version. If the vendor states no version of a row, leaves it out if it was ever read. Moves the cursor of the search that found the
 * rows, and returns the number of stored rows. Runs inside a transaction.
 */
export async function markDetails(
  store: Store,
  tenant: string,
  { stream, object, isOfLoad = false }: FoundDetails,
  rows: readonly DueDetail[],
  move: CursorMove,
  at: string,
): Promise<number> {
  const newest = [...new Map(rows.map((row) => [row.rowId, row])).values()];
  const { numAffectedRows = 0n } = await sql`
    insert into due_details (tenant, stream, row_id, stamp, retry_at, of_load)
    select ${tenant}, ${stream}, row_id, stamp, ${at}::timestamptz, ${isOfLoad}
    from unnest(${newest.map(({ rowId }) => rowId)}::text[], ${newest.map(({ stamp }) => stamp)}::timestamptz[])
      as shown (row_id, stamp)
    where not exists (
      select from mirror_rows m where m.tenant = ${tenant} and m.object = ${object} and m.row_id = shown.row_id
        and (shown.stamp is null or m.stamp = shown.stamp))
    order by row_id
    on conflict (tenant, stream, row_id) do update
    set stamp = excluded.stamp, tries = 0, retry_at = least(due_details.retry_at, excluded.retry_at),
      of_load = due_details.of_load and excluded.of_load`.execute(store.db);
  await moveCursor(store, tenant, move, at);
  return Number(numAffectedRows);
}

export async function nextDetail(
  store: Store,
  tenant: string,
  stream: string,
  at: string,
  { isLoadPaused }: DetailsLimit = { isLoadPaused: false },
): Promise<DueDetail | null> {
  const { rows } = await sql<{ row_id: string; stamp: Date | null }>`select row_id, stamp from due_details
    where tenant = ${tenant} and stream = ${stream} and retry_at <= ${at}::timestamptz ${isLoadPaused ? newestChanged : newest} limit 1`.execute(
    store.db,
  );
  const [row] = rows;
  return row === undefined ? null : { rowId: row.row_id, stamp: row.stamp?.toISOString() ?? null };
}

const newest = sql`order by stamp desc nulls last, row_id`;
/**
 * SQL condition and sort order for reading the details of rows while an operator has paused the first load (of old orders). Leaves out rows
 * that only the first load has found. The rows that changed last come first. An index has the same condition and order.
 */
export const newestChanged = sql`and not of_load ${newest}`;

export const postponeDetail: Statement<MirrorLedger, 'postponeDetail'> = async (store, tenant, stream, rowId, at) => {
  await sql`update due_details
    set tries = tries + 1,
      retry_at = ${at}::timestamptz + case
        when tries < 4 then interval '1 minute' * (array[1, 5, 15, 60])[tries + 1]
        else least(interval '1 hour' * power(2, least(tries - 3, 10)), interval '1 day') end
    where tenant = ${tenant} and stream = ${stream} and row_id = ${rowId}`.execute(store.db);
};
