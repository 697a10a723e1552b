import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { UNREADABLE } from '../../domain/streams/streams.ts';
import { byTenant } from '../core/by-tenant.ts';
import type { Statement, Store } from '../core/store.ts';
import type { StreamLedger, StreamRead } from './stream-ledger.ts';

/**
 * The maximum number of parked rows (rows whose record id is malformed) of a stream that are stored and counted. The number is limited,
 * because a remote system that sends one malformed id often sends many.
 */
const MOST_ROWS = 1_000;

export const parkRows: Statement<StreamLedger, 'parkRows'> = async (store, tenant, stream, ids, at) => {
  const hashes = [...new Set(ids.map(hashOf))].slice(0, MOST_ROWS).sort();
  const { rows } = await sql<{ is_new: boolean }>`
    insert into parked_rows (tenant, stream, row_hash, first_at, last_at)
    select ${tenant}, ${stream}, hash, ${at}::timestamptz, ${at}::timestamptz
    from unnest(${hashes}::text[]) as hash
    where exists (select from parked_rows p where p.tenant = ${tenant} and p.stream = ${stream} and p.row_hash = hash)
       or (select count(*) from parked_rows p where p.tenant = ${tenant} and p.stream = ${stream}) < ${MOST_ROWS}
    order by hash
    on conflict (tenant, stream, row_hash) do update set last_at = excluded.last_at
    returning first_at = last_at as is_new`.execute(store.db);
  return rows.filter((row) => row.is_new).length;
};

export const streamReads: Statement<StreamLedger, 'streamReads'> = async (store, tenant) => {
  return (await streamReadsOf(store, [tenant])).get(tenant) ?? [];
};

export async function streamReadsOf(
  { db }: Store,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, readonly StreamRead[]>> {
  type Read = {
    tenant: string;
    stream: string;
    read_at: Date;
    parked: string;
    refused: Record<string, number>;
  };
  const { rows } = await sql<Read>`
    select c.tenant, c.stream, c.updated_at as read_at,
      (select count(*) from parked_rows p where p.tenant = c.tenant and p.stream = c.stream) as parked,
      (select coalesce(jsonb_object_agg(reason, rows), '{}') from (
        select reason, count(*) as rows from refused_rows r
        where r.tenant = c.tenant and (r.stream = c.stream or (starts_with(r.stream, c.stream || ':')
          and not exists (select from cursors o where o.tenant = r.tenant and o.stream = r.stream)))
        group by reason
        union all
        select ${UNREADABLE}, count(*) from due_details d
        where d.tenant = c.tenant and d.stream = c.stream and d.tries > 0 having count(*) > 0) as reasons) as refused
    from cursors c where c.tenant = any(${[...tenants]}::text[]) order by c.tenant, c.stream`.execute(db);
  return byTenant(rows, ({ stream, read_at, parked, refused }) => ({
    stream,
    readAt: read_at.toISOString(),
    parkedRows: Number(parked),
    refusedRows: refused,
  }));
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}
