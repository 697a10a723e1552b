import { type Kysely, sql } from 'kysely';

/** The pairs that leave, and those that flow, are counted without a look at the rest of the tenant. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_detaching on links (tenant, detached_at)
    where crm_id is not null and vendor_id is not null`.execute(db);
}
