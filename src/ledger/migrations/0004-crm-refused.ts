import { type Kysely, sql } from 'kysely';

/**
 * Adds a second column for the fingerprint (hash) of refused content. One column is for the CRM's refusals and one for the vendor's,
 * because both may have refused a write of the same record.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column crm_refused_fingerprint text`.execute(db);
}
