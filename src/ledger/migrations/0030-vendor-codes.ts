import { type Kysely, sql } from 'kysely';

/** Adds the vendor's codes that Lockstep does not know, each with the number of reads that contained it. */
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
