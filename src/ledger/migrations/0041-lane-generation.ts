import { type Kysely, sql } from 'kysely';

/**
 * Adds a counter: how often a link was put into its tenant's lane (the workflow for many records). A link is taken out of the lane only if
 * the counter has not changed since the work on the link began.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column lane_generation integer not null default 0`.execute(db);
}
