import { type Kysely, sql } from 'kysely';

/**
 * Adds three columns to each mirrored row (a copy of the vendor's row): the id of the write that is on its way to the CRM, until when this
 * write may arrive, and since when it is in doubt which values the CRM has.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mirror_rows
    add column leaving text,
    add column leaving_until timestamptz,
    add column uncertain_at timestamptz`.execute(db);
  await sql`create index mirror_rows_uncertain on mirror_rows (tenant, uncertain_at) where uncertain_at is not null`.execute(
    db,
  );
}
