import { type Kysely, sql } from 'kysely';

/** When a stream last found a change; the polling interval depends on it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cursors add column found_at timestamptz`.execute(db);
}
