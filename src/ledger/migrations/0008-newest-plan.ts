import { type Kysely, sql } from 'kysely';

/** Adds to each link its newest plan, which is the only one that may be sent; null after a decision that writes nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column newest_plan text`.execute(db);
}
