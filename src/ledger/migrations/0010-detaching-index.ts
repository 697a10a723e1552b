import { type Kysely, sql } from 'kysely';

/**
 * Adds an index by which the linked pairs can be counted, divided into those whose sync has stopped or is about to stop and the others,
 * without reading the tenant's unlinked records.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_detaching on links (tenant, detached_at)
    where crm_id is not null and vendor_id is not null`.execute(db);
}
