import { type Kysely, sql } from 'kysely';

/** Adds an index to find links with issues (reasons why a record waits). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_with_issues on links (tenant) where issue_codes <> '{}'`.execute(db);
}
