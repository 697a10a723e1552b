import { type Kysely, sql } from 'kysely';

/**
 * Adds a flag for links that became due (got a change to sync) together with many others, because Lockstep may combine its requests about
 * them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column in_burst boolean not null default false`.execute(db);
  await sql`create index links_in_burst on links (tenant, due_since) where due_since is not null and in_burst`.execute(
    db,
  );
}
