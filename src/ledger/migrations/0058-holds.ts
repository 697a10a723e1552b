import { type Kysely, sql } from 'kysely';

/**
 * Drops the columns with fingerprints (hashes) of refused writes, because the link's encrypted issues (reasons why a record waits) contain
 * them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links drop column refused_fingerprint, drop column crm_refused_fingerprint`.execute(db);
}
