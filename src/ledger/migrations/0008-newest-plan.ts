import { type Kysely, sql } from 'kysely';

/**
 * Adds to each link the id of its newest plan (a decision with the values to send). Lockstep sends no older plan, because an older plan is
 * based on outdated records. Null after a decision to write nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column newest_plan text`.execute(db);
}
