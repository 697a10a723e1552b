import { type Kysely, sql } from 'kysely';

/**
 * Adds parked rows: rows of a stream whose record id is malformed, so that no record can be read. A row is stored under a hash of the
 * malformed text.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table parked_rows (
    tenant text not null,
    stream text not null,
    row_hash text not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    primary key (tenant, stream, row_hash)
  )`.execute(db);
}
