import { type Kysely, sql } from 'kysely';

/**
 * Adds to links whether Lockstep has written to the vendor since it last read the vendor record, and whether the link is due only to read
 * this write back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table links
      add column awaits_echo boolean not null default false,
      add column echo_only boolean not null default false`.execute(db);
}
