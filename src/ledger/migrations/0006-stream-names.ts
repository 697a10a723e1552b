import { type Kysely, sql } from 'kysely';

/** Renames the vendor's cursor after its stream of changed lead-opportunities, because the vendor has several streams. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update cursors set stream = 'vendor-opportunities' where stream = 'vendor-changes'`.execute(db);
}
