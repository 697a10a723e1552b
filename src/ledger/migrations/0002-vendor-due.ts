import { type Kysely, sql } from 'kysely';

/**
 * Which side a mark speaks of: a look at the CRM alone must not settle a change that the vendor's search found.
 * `vendor_generation` is the count at the vendor's last mark, `vendor_observed_generation` the count that the last read covers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links
    add column vendor_generation integer not null default 0,
    add column vendor_observed_generation integer not null default 0`.execute(db);
}
