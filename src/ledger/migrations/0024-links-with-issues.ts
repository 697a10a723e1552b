import { type Kysely, sql } from 'kysely';

/** Adds an index to find links with issues. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_with_issues on links (tenant) where issue_codes <> '{}'`.execute(db);
}
