import { type Kysely, sql } from 'kysely';

/** Adds an index that finds rows whose details could not be read, without scanning the other rows that wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index due_details_tried on due_details (tenant, stream, retry_at) where tries > 0`.execute(db);
}
