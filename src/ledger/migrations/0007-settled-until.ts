import { type Kysely, sql } from 'kysely';

/**
 * Changes the vendor's cursor to the instant before which no change can appear any more. Marks then show whether a record was read since,
 * because a read's time may come from another clock.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update cursors
    set position = jsonb_build_object('until', position->'overlapUntil', 'settledUntil', position->'overlapUntil')
    where stream = 'vendor-opportunities' and position ? 'overlapUntil'`.execute(db);
  await sql`alter table links drop column vendor_read_at`.execute(db);
}
