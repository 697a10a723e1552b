import { type Kysely, sql } from 'kysely';

/** Adds `version` to links, for optimistic locking: a time would be the same for two outcomes within a millisecond. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column version integer not null default 0`.execute(db);
}
