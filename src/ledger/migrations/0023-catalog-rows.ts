import { type Kysely, sql } from 'kysely';

/**
 * Adds columns for the vendor's catalog. `seen`: the last refresh (complete read of the catalog) that contained the row. `next`: the row as
 * that refresh read it, encrypted, until the refresh is committed. `need_objects` and `need_ids`: rows that must be in the CRM before this
 * row is written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mirror_rows
    add column seen text,
    add column rank text,
    add column follow text,
    add column need_objects text[],
    add column need_ids text[],
    add column next_fingerprint text,
    add column next bytea`.execute(db);
  await sql`create index mirror_rows_next on mirror_rows (tenant, object) where next_fingerprint is not null`.execute(
    db,
  );
}
