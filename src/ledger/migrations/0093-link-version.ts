import { type Kysely, sql } from 'kysely';

/**
 * Adds the counter `version` to links, for optimistic locking. The time of the last change does not suffice, because two changes within a
 * millisecond have the same time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column version integer not null default 0`.execute(db);
}
