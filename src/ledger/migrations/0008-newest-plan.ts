import { type Kysely, sql } from 'kysely';

/** The plan that may leave: the newest of its link, until a decision that writes nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column newest_plan text`.execute(db);
}
