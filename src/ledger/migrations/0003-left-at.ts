import { type Kysely, sql } from 'kysely';

/**
 * Adds to links the time at which their sync stopped (state `detached` or `vendor-missing`), or at which Lockstep found that it was about
 * to stop. With this time, Lockstep can count how many links stop at once, and pause if there are too many.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column left_at timestamptz`.execute(db);
  await sql`update links set left_at = updated_at where state in ('detached', 'vendor-missing')`.execute(db);
}
