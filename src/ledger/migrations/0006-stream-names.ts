import { type Kysely, sql } from 'kysely';

/** The vendor has several streams, so its cursor of changed lead-opportunities gets a name of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update cursors set stream = 'vendor-opportunities' where stream = 'vendor-changes'`.execute(db);
}
