import { type Kysely, sql } from 'kysely';

/**
 * Adds to the cursor (stored position) of the vendor search an instant, `settledUntil`. The search can show no further change from before
 * this instant, so later searches need not cover that time again.
 *
 * Drops from links the time at which the vendor record was read, because times of different clocks cannot be compared. Two counts on the
 * link replace this time: `vendor_generation` grows with each vendor change, and `vendor_observed_generation` with each read. If
 * `vendor_observed_generation` is at least as large as `vendor_generation`, the vendor record was read after its last change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update cursors
    set position = jsonb_build_object('until', position->'overlapUntil', 'settledUntil', position->'overlapUntil')
    where stream = 'vendor-opportunities' and position ? 'overlapUntil'`.execute(db);
  await sql`alter table links drop column vendor_read_at`.execute(db);
}
