import { type Kysely, sql } from 'kysely';

/** Adds the time at which a waiting link is retried automatically. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column failing_since timestamptz, add column retry_at timestamptz`.execute(db);
  await sql`create index links_retry on links (tenant, retry_at) where retry_at is not null`.execute(db);
}
