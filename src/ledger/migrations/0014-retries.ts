import { type Kysely, sql } from 'kysely';

/**
 * Adds two times to links: when a record that waits is retried automatically (`retry_at`), and since when every attempt to sync it has
 * failed (`failing_since`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column failing_since timestamptz, add column retry_at timestamptz`.execute(db);
  await sql`create index links_retry on links (tenant, retry_at) where retry_at is not null`.execute(db);
}
