import { type Kysely, sql } from 'kysely';

/**
 * Adds a table of rows (such as orders) that Lockstep wanted to write to the CRM and that the CRM refused. Each is stored encrypted, with
 * the reason and the time of the next attempt.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table refused_rows (
    tenant text not null,
    stream text not null,
    row_hash text not null,
    row bytea not null,
    reason text not null,
    tries integer not null,
    first_at timestamptz not null,
    retry_at timestamptz not null,
    primary key (tenant, stream, row_hash)
  )`.execute(db);
  await sql`create index refused_rows_retry on refused_rows (tenant, stream, retry_at)`.execute(db);
}
