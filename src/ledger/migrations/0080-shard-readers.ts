import { type Kysely, sql } from 'kysely';

/**
 * Adds for each shard (a group of tenants) which activity attempt reads it, and when the worker of this attempt last reported that it is
 * alive. These reports replace heartbeats to Temporal.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table shard_readers (
    shard integer primary key,
    attempt text not null,
    beat_at timestamptz not null
  )`.execute(db);
}
