import { type Kysely, sql } from 'kysely';

/** The vendor has several streams: its cursor of changed lead-opportunities is called after what it shows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update cursors set stream = 'vendor-opportunities' where stream = 'vendor-changes'`.execute(db);
}
