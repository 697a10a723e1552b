import { type Kysely, sql } from 'kysely';

/** When the ledger was brought back to an earlier state, and which links have to be told so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table restores (at timestamptz primary key)`.execute(db);
  await sql`alter table links add column restored_at timestamptz`.execute(db);
}
