import { type Kysely, sql } from 'kysely';

/**
 * Adds parked rows. They are rows of a search whose record id is malformed, so that Lockstep cannot read the record. A row is stored under
 * a hash of the malformed id.
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
