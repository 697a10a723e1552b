import { type Kysely, sql } from 'kysely';

/** Adds the opportunities that may match a waiting vendor record, so that a change of one of them wakes the vendor record. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column candidates text[] not null default '{}'`.execute(db);
  await sql`create index links_candidates on links using gin (candidates) where candidates <> '{}'`.execute(db);
}
