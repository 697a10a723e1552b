import { type Kysely, sql } from 'kysely';

/**
 * Makes most updates of a link write its row but no index (PostgreSQL's "heap-only tuples"). For this, the indexes of links no longer
 * contain the columns `updated_at` and `lane`, and each page keeps free space. Two columns that PostgreSQL computes replace them in
 * indexes: `updated_hour` for finding links by their last change, and `in_lane` for links in the lane (the workflow for many records).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links
    add column in_lane boolean generated always as (lane is not null) stored,
    add column updated_hour timestamp generated always as (date_trunc('hour', updated_at at time zone 'UTC')) stored`.execute(
    db,
  );
  await sql`create index links_by_state on links (tenant, state, updated_hour)`.execute(db);
  await sql`drop index links_state, links_lane_order, links_burst`.execute(db);
  await sql`
    create index links_lane_order
      on links (tenant, (echo_only and bulk_share is null), (bulk_share is not null), due_since nulls first, key)
      where in_lane`.execute(db);
  await sql`
    create index links_burst on links (tenant, due_since)
      where due_since is not null and in_burst and not in_lane`.execute(db);
  await sql`alter table links set (fillfactor = 70)`.execute(db);
  await sql`alter table plans set (fillfactor = 50)`.execute(db);
}
