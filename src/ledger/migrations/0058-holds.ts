import { type Kysely, sql } from 'kysely';

/** Drops the columns with fingerprints of refused writes, because the link's encrypted issues now contain them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links drop column refused_fingerprint, drop column crm_refused_fingerprint`.execute(db);
}
