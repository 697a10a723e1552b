import { type Kysely, sql } from 'kysely';

/**
 * Adds the records of a tenant's undo (an operator's order to take Lockstep's writes back), each with its outcome. The rows contain no
 * values; the link stores the values to restore, encrypted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table undo_rows (
    tenant text not null,
    key text not null,
    place bigint generated always as identity,
    state text not null default 'found' check (state in ('found', 'marked', 'woken', 'done')),
    outcome text,
    back integer not null default 0,
    stay integer not null default 0,
    waits integer not null default 0,
    primary key (tenant, key)
  )`.execute(db);
  await sql`create index undo_rows_next on undo_rows (tenant, state, place)`.execute(db);
}
