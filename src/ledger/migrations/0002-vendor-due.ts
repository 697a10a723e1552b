import { type Kysely, sql } from 'kysely';

/**
 * Counts vendor changes separately, so that a read of the CRM does not count as handling a change at the vendor. `vendor_generation`: the
 * link's change count at the last vendor change. `vendor_observed_generation`: the change count up to which the vendor was read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links
    add column vendor_generation integer not null default 0,
    add column vendor_observed_generation integer not null default 0`.execute(db);
}
