import { type Kysely, sql } from 'kysely';

/** Whether the kept reading is from before our last write, and whether reading that back is all that a link is due for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table links
      add column awaits_echo boolean not null default false,
      add column echo_only boolean not null default false`.execute(db);
}
