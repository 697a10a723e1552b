import { type Kysely, sql } from 'kysely';

/**
 * Adds which activity attempt reads each shard (a group of tenants), and when its worker last reported that it lives. These reports replace
 * heartbeats to Temporal.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table shard_readers (
    shard integer primary key,
    attempt text not null,
    beat_at timestamptz not null
  )`.execute(db);
}
