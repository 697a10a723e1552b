import { type Kysely, sql } from 'kysely';

/** Replaces `moved_from`, the last former id of a deal, by `former_ids`, which are all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column former_ids text[] not null default '{}'`.execute(db);
  await sql`update links set former_ids = array[moved_from] where moved_from is not null`.execute(db);
  await sql`alter table links drop column moved_from`.execute(db);
}
