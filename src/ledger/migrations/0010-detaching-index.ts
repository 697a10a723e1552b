import { type Kysely, sql } from 'kysely';

/** An index to count pairs that are being detached, or are synced, without reading the tenant's other links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_detaching on links (tenant, detached_at)
    where crm_id is not null and vendor_id is not null`.execute(db);
}
