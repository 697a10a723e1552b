import { type Kysely, sql } from 'kysely';

/** `moved_from`: the id that the opportunity had in the org from which its deal was moved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column moved_from text`.execute(db);
}
