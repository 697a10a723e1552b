import { type Kysely, sql } from 'kysely';

/** Adds the time at which a stream (a regular read) last found a change. Lockstep computes from this time how often it polls the stream. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cursors add column found_at timestamptz`.execute(db);
}
