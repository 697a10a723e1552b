import { type Kysely, sql } from 'kysely';

/** Adds to links the time of the newest sync request by a CRM user that Lockstep accepted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column asked_at timestamptz`.execute(db);
}
