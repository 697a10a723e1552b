import { type Kysely, sql } from 'kysely';

/** How often a link was given to its tenant's lane: it leaves only where that has not come to pass once more since its work began. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column lane_generation integer not null default 0`.execute(db);
}
