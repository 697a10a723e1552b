import { type Kysely, sql } from 'kysely';

/** When a stream last told of something: how often it is looked at follows from it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cursors add column found_at timestamptz`.execute(db);
}
