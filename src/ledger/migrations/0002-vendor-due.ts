import { type Kysely, sql } from 'kysely';

/**
 * Counts changes at the vendor separately, so that they count as synced only after Lockstep has read the vendor. A read of the CRM does not
 * show them. `vendor_generation`: how many changes of either record had been counted when the last vendor change was reported.
 * `vendor_observed_generation`: how many had been counted when Lockstep last read the vendor's record. If the first number is greater, a
 * vendor change is still unread.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links
    add column vendor_generation integer not null default 0,
    add column vendor_observed_generation integer not null default 0`.execute(db);
}
