import { type Kysely, sql } from 'kysely';

/** Adds a table of opportunities whose orders have changed since their totals were last written to the CRM. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table due_totals (
    tenant text not null,
    opportunity text not null,
    marked_at timestamptz not null,
    tries integer not null default 0,
    retry_at timestamptz not null,
    primary key (tenant, opportunity)
  )`.execute(db);
  await sql`create index due_totals_retry on due_totals (tenant, retry_at, opportunity)`.execute(db);
}
