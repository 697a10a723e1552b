import { type Kysely, sql } from 'kysely';

/** Drops fingerprints of refused writes, because a link's encrypted issues say what is not sent again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links drop column refused_fingerprint, drop column crm_refused_fingerprint`.execute(db);
}
