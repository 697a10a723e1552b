import { type Kysely, sql } from 'kysely';

/**
 * Adds the records of backfills (operators' orders to sync older records) with their progress. Adds to links the share of the vendor's
 * quota for work of a backfill, and to quota windows the number of requests that such work has sent.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table backfill_rows (
    tenant text not null,
    side text not null,
    id text not null,
    place bigint generated always as identity,
    state text not null default 'found',
    pairs integer not null default 0,
    outcome text,
    primary key (tenant, side, id)
  )`.execute(db);
  await sql`create index backfill_rows_next on backfill_rows (tenant, side, state, place)`.execute(db);
  await sql`alter table links add column bulk_share real`.execute(db);
  await sql`create index links_bulk on links (tenant) where bulk_share is not null`.execute(db);
  await sql`alter table quota add column bulk_used integer not null default 0`.execute(db);
}
