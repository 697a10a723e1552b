import { type Kysely, sql } from 'kysely';

/**
 * Adds `candidates` to links: the opportunities that may match a vendor record that is not linked yet. If one of these opportunities
 * changes, Lockstep processes the vendor record again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column candidates text[] not null default '{}'`.execute(db);
  await sql`create index links_candidates on links using gin (candidates) where candidates <> '{}'`.execute(db);
}
