import { type Kysely, sql } from 'kysely';

/** Since when a link waits for what the engine knows of and has not done, and for what; `due_since` moves with each wake. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column waiting_since timestamptz, add column waiting_for text`.execute(db);
  await sql`update links set waiting_since = due_since`.execute(db);
  // Of a long outage, those that the CRM was told of are many.
  await sql`create index links_unreported on links (tenant, waiting_since, key)
    where waiting_since is not null and (reported is null or reported not like '%.waits-%')`.execute(db);
}
