import { type Kysely, sql } from 'kysely';

/** Renames the cursor of the vendor to the name of its stream (changed lead-opportunities), because the vendor has several streams. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update cursors set stream = 'vendor-opportunities' where stream = 'vendor-changes'`.execute(db);
}
