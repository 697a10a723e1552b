import { type Kysely, sql } from 'kysely';

/**
 * Counts changes at the vendor separately, because a read of the CRM does not show them. `vendor_generation`: the link's count of changes
 * at the last vendor change. `vendor_observed_generation`: the count up to which the vendor was read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links
    add column vendor_generation integer not null default 0,
    add column vendor_observed_generation integer not null default 0`.execute(db);
}
