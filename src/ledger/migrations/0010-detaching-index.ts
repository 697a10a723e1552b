import { type Kysely, sql } from 'kysely';

/** Adds an index to count pairs that are detached, being detached or synced, without reading the tenant's other links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_detaching on links (tenant, detached_at)
    where crm_id is not null and vendor_id is not null`.execute(db);
}
