import { type Kysely, sql } from 'kysely';

/** Adds a time to links: when the sync of a link was about to stop, or did stop (state `detached` or `vendor-missing`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column left_at timestamptz`.execute(db);
  await sql`update links set left_at = updated_at where state in ('detached', 'vendor-missing')`.execute(db);
}
