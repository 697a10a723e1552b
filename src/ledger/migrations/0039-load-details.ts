import { type Kysely, sql } from 'kysely';

/**
 * Adds a flag to `due_details`, the list of the vendor's rows (such as orders) whose details Lockstep must still read. The flag is set for
 * a row that only the first load (of orders from before the tenant was connected) has found. While an operator has paused the first load,
 * Lockstep reads no details of rows with the flag, but those of all other rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table due_details add column of_load boolean not null default false`.execute(db);
  await sql`create index due_details_changed on due_details (tenant, stream, stamp desc nulls last, row_id)
    where not of_load`.execute(db);
}
