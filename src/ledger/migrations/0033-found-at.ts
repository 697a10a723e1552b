import { type Kysely, sql } from 'kysely';

/** Adds the time at which a stream last found a change. The polling interval is computed from this time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cursors add column found_at timestamptz`.execute(db);
}
