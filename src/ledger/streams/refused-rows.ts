import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { CrmFields } from '../../domain/record/crm-graph.ts';
import { type Place, place } from '../core/sealer.ts';
import type { Statement } from '../core/store.ts';
import type { StreamLedger } from './stream-ledger.ts';

/**
 * The maximum number of rows of a stream that are stored because the CRM refused them. If the CRM refuses more, there is probably a common
 * cause, and the whole stream stops until a later try succeeds.
 */
const MOST_ROWS = 1_000;
const [FIRST_MINUTE, FIRST_HOUR] = ['1 minute', '1 hour'];

/**
 * Stores rows that the CRM refused, with the time of their retry. The first retry is after an hour; each further wait is twice as long, at
 * most a day. After temporary refusals, the waits are 1, 5, 15 and then 60 minutes. Returns false and stores none if there are too many.
 */
export const settleRows: Statement<StreamLedger, 'settleRows'> = async (
  store,
  tenant,
  stream,
  { taken, refused },
  at,
) => {
  await sql`delete from refused_rows
    where tenant = ${tenant} and stream = ${stream} and row_hash = any(${taken.map(hashOf)}::text[])`.execute(store.db);
  if (refused.length === 0) return true;
  const hashes = refused.map(({ id }) => hashOf(id));
  const { rows } = await sql<{ others: string }>`select count(*) as others from refused_rows
    where tenant = ${tenant} and stream = ${stream} and not row_hash = any(${hashes}::text[])`.execute(store.db);
  if (Number(rows[0]?.others) + refused.length > MOST_ROWS) return false;
  for (const { id, row, reason, isForNow = false } of refused) {
    const hash = hashOf(id);
    const sealed = store.sealer.seal(row, placeOf(tenant, stream, hash));
    await sql`insert into refused_rows (tenant, stream, row_hash, row, reason, tries, first_at, retry_at)
      values (${tenant}, ${stream}, ${hash}, ${sealed}, ${reason}, 1, ${at},
        ${at}::timestamptz + ${isForNow ? FIRST_MINUTE : FIRST_HOUR}::interval)
      on conflict (tenant, stream, row_hash) do update
      set row = excluded.row, reason = excluded.reason, tries = refused_rows.tries + 1,
        retry_at = ${at}::timestamptz + case
          when ${isForNow}::boolean then (array[1, 5, 15, 60])[least(refused_rows.tries + 1, 4)] * interval '1 minute'
          else least(interval '1 hour' * power(2, least(refused_rows.tries, 10)), interval '1 day') end`.execute(
      store.db,
    );
  }
  return true;
};

export const refusedRows: Statement<StreamLedger, 'refusedRows'> = async (store, tenant, stream, at, limit) => {
  const { rows } = await sql<{ row_hash: string; row: Buffer }>`select row_hash, row from refused_rows
    where tenant = ${tenant} and stream = ${stream} and retry_at <= ${at}::timestamptz
    order by retry_at, row_hash limit ${limit}`.execute(store.db);
  return rows.map(({ row_hash, row }) => store.sealer.open(row, placeOf(tenant, stream, row_hash)) as CrmFields);
};

function placeOf(tenant: string, stream: string, hash: string): Place {
  return place(tenant, 'refused_rows', 'row', stream, hash);
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}
