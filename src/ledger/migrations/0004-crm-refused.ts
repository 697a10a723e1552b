import { type Kysely, sql } from 'kysely';

/** What the CRM refused, beside what the vendor did: either is remembered while the other refuses as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column crm_refused_fingerprint text`.execute(db);
}
