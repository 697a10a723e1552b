import { type Kysely, sql } from 'kysely';

/** Adds an index that finds, among the rows whose details are to be read, the row that changed last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index due_details_newest on due_details (tenant, stream, stamp desc nulls last, row_id)`.execute(db);
}
