import { type Kysely, sql } from 'kysely';

/** Which of the links that are due were marked together with many others, and may wait for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column in_burst boolean not null default false`.execute(db);
}
