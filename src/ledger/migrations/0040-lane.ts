import { type Kysely, sql } from 'kysely';

/** Which links the lane of their tenant is to carry, and which side told of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column lane text`.execute(db);
  await sql`create index links_lane on links (tenant, due_since) where lane is not null`.execute(db);
}
