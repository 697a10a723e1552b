import { type Kysely, sql } from 'kysely';

/** Adds when a stream last found a change. From this time the polling interval is computed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cursors add column found_at timestamptz`.execute(db);
}
