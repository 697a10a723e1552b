import { type Kysely, sql } from 'kysely';

/** The plan that may be sent: the link's newest, until a decision that writes nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column newest_plan text`.execute(db);
}
