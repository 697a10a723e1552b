import { type Kysely, sql } from 'kysely';

/** Adds a second column for the fingerprint of refused content, for the CRM, because both sides may have refused a write. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column crm_refused_fingerprint text`.execute(db);
}
