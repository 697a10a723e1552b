import { type Kysely, sql } from 'kysely';

/** Adds `former_ids`: all CRM ids that a deal had before. `moved_from`, the last of them, stays for workers of the previous release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column former_ids text[] not null default '{}'`.execute(db);
  await sql`update links set former_ids = array[moved_from] where moved_from is not null`.execute(db);
}
