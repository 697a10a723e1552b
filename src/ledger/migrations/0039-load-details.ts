import { type Kysely, sql } from 'kysely';

/** Which of the rows whose details are to be read the first load alone has found: while it is paused, the others are read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table due_details add column of_load boolean not null default false`.execute(db);
  await sql`create index due_details_changed on due_details (tenant, stream, stamp desc nulls last, row_id)
    where not of_load`.execute(db);
}
