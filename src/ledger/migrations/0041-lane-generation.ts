import { type Kysely, sql } from 'kysely';

/**
 * Adds how often a link was put into its tenant's lane (the workflow for many records). A link is taken out only if this number is the same
 * as when the work on it began.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column lane_generation integer not null default 0`.execute(db);
}
