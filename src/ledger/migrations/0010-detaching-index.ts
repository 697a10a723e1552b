import { type Kysely, sql } from 'kysely';

/**
 * Adds an index for two counts of a tenant's linked pairs: the pairs whose sync has stopped or is about to stop, and the other pairs.
 * Lockstep compares these counts to find out whether too many records stop at once. With the index, the counts do not read unlinked
 * records.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_detaching on links (tenant, detached_at)
    where crm_id is not null and vendor_id is not null`.execute(db);
}
