import { type Kysely, sql } from 'kysely';

/** Adds the time of the newest accepted sync request that a person made in the CRM. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column asked_at timestamptz`.execute(db);
}
