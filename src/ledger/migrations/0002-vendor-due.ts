import { type Kysely, sql } from 'kysely';

/**
 * Which side a mark speaks of: a look at the CRM alone must not settle a change that the vendor's search found.
 * `vendor_due_seq` is the count at the vendor's last mark, `vendor_done_seq` the count that the last read covers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links
    add column vendor_due_seq integer not null default 0,
    add column vendor_done_seq integer not null default 0`.execute(db);
}
