import { type Kysely, sql } from 'kysely';

/**
 * Adds an index that finds the rows whose details Lockstep has tried to read and could not, without scanning the rows that were not tried
 * yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index due_details_tried on due_details (tenant, stream, retry_at) where tries > 0`.execute(db);
}
