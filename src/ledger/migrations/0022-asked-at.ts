import { type Kysely, sql } from 'kysely';

/** Adds catalog rows as a refresh (`seen`) read them, encrypted in `next` until its commit. Rows that `need_ids` names come first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column asked_at timestamptz`.execute(db);
}
