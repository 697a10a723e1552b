import { type Kysely, sql } from 'kysely';

/** Adds `moved_from`: if an operator moved the deal to a new org, the id of its opportunity in the previous org. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column moved_from text`.execute(db);
}
