import { type Kysely, sql } from 'kysely';

/**
 * Counts changes at the vendor separately, because a read of the CRM does not show them. `vendor_generation`: the link's count of all
 * changes when the last vendor change was reported. `vendor_observed_generation`: the count up to which Lockstep has read the vendor's
 * record.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links
    add column vendor_generation integer not null default 0,
    add column vendor_observed_generation integer not null default 0`.execute(db);
}
