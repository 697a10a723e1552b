import { type Kysely, sql } from 'kysely';

/**
 * The vendor's cursor tells up to where nothing can appear any more. Whether a record was read since is told by its
 * marks, not by the time of a reading, which another clock may have told.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update cursors
    set position = jsonb_build_object('until', position->'overlapUntil', 'settledUntil', position->'overlapUntil')
    where stream = 'vendor-opportunities' and position ? 'overlapUntil'`.execute(db);
  await sql`alter table links drop column vendor_read_at`.execute(db);
}
