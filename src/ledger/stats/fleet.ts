import { sql } from 'kysely';
import { plainCalls, plainly, type Statement, type Store } from '../core/store.ts';
import { hasDueDealNews } from '../mirror/row-news.ts';
import { isUnreportedWaiting } from '../queue/waiting.ts';
import { notedCodesOf } from '../streams/vendor-codes.ts';
import type { FleetLedger, StreamTimes } from './stats-ledger.ts';

export function fleetCalls(store: Store): FleetLedger {
  return {
    ...plainCalls(store, { cursorParts, notedCodesOf }),
    streamTimes: async (tenants) => (tenants.length === 0 ? [] : plainly(() => streamTimes(store, tenants))),
    noteStreamFound: (tenant, stream, at) =>
      plainly(async () => {
        await sql`update cursors set found_at = ${at}::timestamptz
          where tenant = ${tenant} and (stream = ${stream} or starts_with(stream, ${`${stream}:`}))`.execute(store.db);
      }),
    tenantsToWake: async (tenants, when) =>
      tenants.length === 0 ? [] : plainly(() => tenantsToWake(store, tenants, when)),
  };
}

async function streamTimes({ db }: Store, tenants: readonly string[]): Promise<readonly StreamTimes[]> {
  type Row = { tenant: string; stream: string; updated_at: Date; found_at: Date | null };
  const { rows } = await sql<Row>`
    select tenant, stream, updated_at, found_at from cursors where tenant = any(${tenants}::text[])`.execute(db);
  return rows.map(({ tenant, stream, updated_at: read, found_at: found }) => ({
    ...{ tenant, stream, readAt: read.toISOString() },
    foundAt: found?.toISOString() ?? null,
  }));
}

/**
 * Reads single properties (`parts`) of many tenants' cursors (stored positions of streams) in one statement. `offset 0` keeps PostgreSQL
 * from evaluating the path of a property twice.
 */
const cursorParts: Statement<FleetLedger, 'cursorParts'> = async ({ db }, tenants, parts) => {
  if (tenants.length === 0 || parts.length === 0) return [];
  type Row = { tenant: string; place: number; value: unknown };
  const asked = JSON.stringify(parts.map(({ stream, path }, place) => ({ place, stream, path })));
  const { rows } = await sql<Row>`
    select tenant, place, value from (
      select c.tenant, asked.place, c.position #> asked.path as value
      from jsonb_to_recordset(${asked}::jsonb) as asked (place int, stream text, path text[])
      cross join unnest(${[...tenants]}::text[]) as t (tenant)
      join cursors c on c.tenant = t.tenant and c.stream = asked.stream
      offset 0) as found
    where value is not null`.execute(db);
  return rows.flatMap(({ tenant, place, value }) => {
    const part = parts[place];
    return part === undefined ? [] : [{ tenant, ...part, value }];
  });
};

/**
 * Finds tenants for which there is overdue work. For each tenant, it reads the first entry of four indexes (`links_due`, `links_retry`,
 * `links_unreported`, `links_reporting`) and the few stored news of deals (changes to report to the deals' owners). The order clauses make
 * PostgreSQL use the indexes instead of scanning the tenant's links.
 */
async function tenantsToWake(
  { db }: Store,
  tenants: readonly string[],
  { before, unreportedSince, reportingSince, at }: Parameters<FleetLedger['tenantsToWake']>[1],
): Promise<readonly string[]> {
  const { rows } = await sql<{ tenant: string }>`
    select t.tenant from unnest(${tenants}::text[]) as t (tenant)
    where (select true from links where tenant = t.tenant and due_since is not null and due_since <= ${before}::timestamptz
        and state <> 'superseded' order by due_since limit 1)
      or (select true from links where tenant = t.tenant and retry_at <= ${at}::timestamptz and due_since is null
        and state <> 'superseded' order by retry_at limit 1)
      or (select true from links where tenant = t.tenant and ${isUnreportedWaiting(unreportedSince)}
        order by waiting_since limit 1)
      or (select true from links where tenant = t.tenant and reporting_since <= ${reportingSince}::timestamptz
        order by reporting_since limit 1)
      or ${hasDueDealNews(sql`t.tenant`, at)}`.execute(db);
  return rows.map(({ tenant }) => tenant);
}
