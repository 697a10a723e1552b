import { type Kysely, sql } from 'kysely';

/** When a person asked in the CRM for a record to be looked at, as it was heeded last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column asked_at timestamptz`.execute(db);
}
