import { type Kysely, sql } from 'kysely';

/**
 * Adds an index that finds, among the rows whose details must be read at the vendor, the row that changed last. Lockstep reads this row
 * first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index due_details_newest on due_details (tenant, stream, stamp desc nulls last, row_id)`.execute(db);
}
