import { type Kysely, sql } from 'kysely';

/**
 * Counts vendor changes separately. Otherwise a read of the CRM would end the wait for a change that the vendor's search found.
 * `vendor_generation`: the link's count at the last vendor change. `vendor_observed_generation`: the count that the last vendor read
 * covers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links
    add column vendor_generation integer not null default 0,
    add column vendor_observed_generation integer not null default 0`.execute(db);
}
