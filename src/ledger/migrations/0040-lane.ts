import { type Kysely, sql } from 'kysely';

/** Adds to each link that the tenant's lane (the workflow for many records) processes which side reported the change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column lane text`.execute(db);
  await sql`create index links_lane on links (tenant, due_since) where lane is not null`.execute(db);
}
