import { type Kysely, sql } from 'kysely';

/**
 * Adds `version` to links: how often a step's outcome was stored. A trigger counts each statement that sets `updated_at`, also one that sets
 * the same time again, because two outcomes may be stored within a millisecond. Workers of the previous release are counted as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column version integer not null default 0`.execute(db);
  await sql`create function count_link_version() returns trigger language plpgsql as $$
    begin
      new.version := old.version + 1;
      return new;
    end $$`.execute(db);
  await sql`create trigger count_link_version before update of updated_at on links
    for each row execute function count_link_version()`.execute(db);
}
