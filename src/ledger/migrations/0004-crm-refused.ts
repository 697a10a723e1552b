import { type Kysely, sql } from 'kysely';

/** Adds the fingerprint of the CRM's refusal beside the vendor's, because both sides may refuse at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column crm_refused_fingerprint text`.execute(db);
}
