import { type Kysely, sql } from 'kysely';

/**
 * Adds two indexes that are fast for any number of links. One finds, in order, the next records of a lane (a tenant's workflow for many
 * records). The other finds the records of a burst (that changed together) which are not in the lane.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index links_lane_order
      on links (tenant, (echo_only and bulk_share is null), (bulk_share is not null), due_since nulls first, key)
      where lane is not null`.execute(db);
  await sql`drop index links_lane`.execute(db);
  await sql`
    create index links_burst on links (tenant, due_since)
      where due_since is not null and in_burst and lane is null`.execute(db);
}
