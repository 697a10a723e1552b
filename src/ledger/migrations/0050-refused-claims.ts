import { type Kysely, sql } from 'kysely';

/**
 * Adds the entered vendor id that was refused. An earlier version linked an entered id unseen; such a link, whose vendor record nobody has
 * ever read, is taken apart, so that the id is judged as a new entry.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column refused_claim jsonb`.execute(db);
  await sql`
    update links set
      refused_claim = jsonb_build_object('vendorId', vendor_id, 'refusal', 'absent', 'fingerprint', ''),
      vendor_id = null, state = 'pending', issues = null, issue_codes = '{}', detached_at = null,
      generation = generation + 1, due_since = now(), marked_at = now()
    where state = 'vendor-missing' and crm_id is not null and base is null and vendor_observation is null`.execute(db);
}
