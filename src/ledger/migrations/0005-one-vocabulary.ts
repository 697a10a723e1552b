import { type Kysely, sql } from 'kysely';

/**
 * Renames columns and states to the product's terms. Deletes bases (last agreed values) and plans, because they were encrypted under the
 * old names. The two sides of each record are then compared again as on a first sync.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links rename column left_at to detached_at`.execute(db);
  await sql`alter table links rename column vendor_seen to vendor_observation`.execute(db);
  await sql`alter table links drop constraint links_absorbed_has_no_ids`.execute(db);
  await sql`update links set state = 'superseded' where state = 'absorbed'`.execute(db);
  await sql`alter table links add constraint links_superseded_has_no_ids
    check (state <> 'superseded' or (crm_id is null and vendor_id is null))`.execute(db);
  await sql`update links set base = null, vendor_observation = null, vendor_read_at = null`.execute(db);
  await sql`delete from plans`.execute(db);
}
