import { type Kysely, sql } from 'kysely';

/**
 * Adds a flag for details that only the first load (of old orders) has found. While an operator has paused the first load, all other
 * details are still read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table due_details add column of_load boolean not null default false`.execute(db);
  await sql`create index due_details_changed on due_details (tenant, stream, stamp desc nulls last, row_id)
    where not of_load`.execute(db);
}
