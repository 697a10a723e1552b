import { type Kysely, sql } from 'kysely';

/** An index to find the links with issues among those without. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_with_issues on links (tenant) where issue_codes <> '{}'`.execute(db);
}
