import { type Kysely, sql } from 'kysely';

/**
 * Adds the times at which the ledger was restored from a backup. Adds to each link the time of the last restore after which the link's base
 * (last agreed values) may be outdated.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table restores (at timestamptz primary key)`.execute(db);
  await sql`alter table links add column restored_at timestamptz`.execute(db);
}
