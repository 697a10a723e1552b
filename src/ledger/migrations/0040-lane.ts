import { type Kysely, sql } from 'kysely';

/**
 * Adds `lane` to links: the side whose change was reported, if the tenant's lane (the workflow for many records) processes the link;
 * otherwise null.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column lane text`.execute(db);
  await sql`create index links_lane on links (tenant, due_since) where lane is not null`.execute(db);
}
