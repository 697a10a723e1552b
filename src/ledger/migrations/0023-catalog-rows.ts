import { type Kysely, sql } from 'kysely';

/**
 * Adds catalog rows as a refresh (`seen`) read them, sealed in `next` until the refresh is committed. A row that needs others
 * (`need_objects`, `need_ids`) is written to the CRM after them.
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
