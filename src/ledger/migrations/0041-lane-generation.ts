import { type Kysely, sql } from 'kysely';

/**
 * Adds how often a link was added to its tenant's lane (the workflow for many records). A link leaves the lane only if the count has not
 * risen since its work began.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column lane_generation integer not null default 0`.execute(db);
}
