import { type Kysely, sql } from 'kysely';

/** Adds the fingerprint of what the CRM refused beside that of what the vendor refused, because both sides may refuse a write at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column crm_refused_fingerprint text`.execute(db);
}
