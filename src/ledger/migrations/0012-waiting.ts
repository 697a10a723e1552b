import { type Kysely, sql } from 'kysely';

/**
 * Adds two columns to links: since when the link has unsynced changes, and why it waits. The column `due_since` does not show the time of
 * the oldest change, because each signal to the link's workflow moves it forward.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column waiting_since timestamptz, add column waiting_for text`.execute(db);
  await sql`update links set waiting_since = due_since`.execute(db);
  // In a long outage, CRM users already have a report about most waiting links, so the index leaves these links out.
  await sql`create index links_unreported on links (tenant, waiting_since, key)
    where waiting_since is not null and (reported is null or reported not like '%.waits-%')`.execute(db);
}
