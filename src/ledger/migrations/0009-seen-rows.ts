import { type Kysely, sql } from 'kysely';

/**
 * Adds the versions of rows that sweeps (queries for changes in the CRM) have read. Periods of sweeps overlap, so a later sweep may find
 * the same version again, and then skips it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table seen_rows (
    tenant text not null,
    stream text not null,
    row_id text not null,
    stamp timestamptz not null,
    primary key (tenant, stream, row_id)
  )`.execute(db);
  await sql`create index seen_rows_stamp on seen_rows (tenant, stream, stamp)`.execute(db);
  await sql`update cursors
    set position = jsonb_build_object('settled', position->'settled'->'systemModstamp', 'sweep', null)
    where stream like 'crm:%'`.execute(db);
}
