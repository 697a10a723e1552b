import { type Kysely, sql } from 'kysely';

/**
 * Takes `updated_at` out of the indexes of links, and leaves room in each page, so that most updates of a link write its row but no index
 * (PostgreSQL's "heap-only tuples"). The new column `updated_hour`, which changes once an hour, finds links by their last change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column updated_hour timestamp
    generated always as (date_trunc('hour', updated_at at time zone 'UTC')) stored`.execute(db);
  await sql`create index links_by_state on links (tenant, state, updated_hour)`.execute(db);
  await sql`drop index links_state`.execute(db);
  await sql`alter table links set (fillfactor = 70)`.execute(db);
  await sql`alter table plans set (fillfactor = 80)`.execute(db);
}
