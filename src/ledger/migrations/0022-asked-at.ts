import { type Kysely, sql } from 'kysely';

/** When a person last requested a sync of a record in the CRM, of the accepted requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column asked_at timestamptz`.execute(db);
}
