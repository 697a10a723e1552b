import { type Kysely, sql } from 'kysely';

/** Adds the rows of streams that name no record, each by a hash of the text in place of the id. */
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
