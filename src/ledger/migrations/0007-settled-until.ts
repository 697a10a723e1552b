import { type Kysely, sql } from 'kysely';

/**
 * Adds to the cursor (stored position) of the vendor search the instant before which the search can show no further change. Drops the time
 * at which a vendor record was read. Instead, counts on the link now show whether the vendor record was read after its last change, because
 * times of different clocks cannot be compared.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update cursors
    set position = jsonb_build_object('until', position->'overlapUntil', 'settledUntil', position->'overlapUntil')
    where stream = 'vendor-opportunities' and position ? 'overlapUntil'`.execute(db);
  await sql`alter table links drop column vendor_read_at`.execute(db);
}
