import { type Kysely, sql } from 'kysely';

/**
 * Adds the activity attempt that reads each shard (a group of tenants), and when its worker last showed that it lives. These beats replace
 * heartbeats to Temporal.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table shard_readers (
    shard integer primary key,
    attempt text not null,
    beat_at timestamptz not null
  )`.execute(db);
}
