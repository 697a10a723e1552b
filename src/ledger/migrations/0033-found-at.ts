import { type Kysely, sql } from 'kysely';

/** Adds when a stream last found a change, because the polling interval depends on it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cursors add column found_at timestamptz`.execute(db);
}
