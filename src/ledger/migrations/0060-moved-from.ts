import { type Kysely, sql } from 'kysely';

/** Adds `moved_from`: the id that an opportunity had in the previous org before its deal was moved to a new org. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column moved_from text`.execute(db);
}
