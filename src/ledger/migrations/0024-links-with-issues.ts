import { type Kysely, sql } from 'kysely';

/** Finds the records of all tenants of which something is told, among those that are well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_with_issues on links (tenant) where issue_codes <> '{}'`.execute(db);
}
