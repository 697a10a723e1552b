import { type Kysely, sql } from 'kysely';

/** Adds the reason for which the CRM refused a notice to an opportunity's owner, as a code and field names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table row_news add column refusal text`.execute(db);
  await sql`create index row_news_refused on row_news (tenant) where tries > 0`.execute(db);
}
