import { type Kysely, sql } from 'kysely';

/**
 * Adds the vendor id that a user entered in an opportunity and that Lockstep refused.
 *
 * Also corrects links of an earlier release, which linked an entered id without reading the vendor record. If the vendor record is missing,
 * and Lockstep has not read it since it was linked, the migration removes the vendor id from the link and stores it as refused. Lockstep
 * then judges the id like a new entry.
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
