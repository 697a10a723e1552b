import { type Kysely, sql } from 'kysely';

/**
 * Adds a table for codes in fields of vendor records, such as a status, that Lockstep cannot translate. Operators see from the table which
 * codes need a translation, and how many reads contained each.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table vendor_codes (
    tenant text not null,
    field text not null,
    code text not null,
    readings bigint not null default 1,
    first_at timestamptz not null,
    last_at timestamptz not null,
    primary key (tenant, field, code)
  )`.execute(db);
}
