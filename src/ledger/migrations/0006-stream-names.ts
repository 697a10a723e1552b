import { type Kysely, sql } from 'kysely';

/**
 * Renames the only cursor for the vendor after its stream, the search for changed lead-opportunities, because there may be several streams
 * (kinds of regular reads) of the vendor, each with a cursor.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update cursors set stream = 'vendor-opportunities' where stream = 'vendor-changes'`.execute(db);
}
