import { type Kysely, sql } from 'kysely';

/**
 * Adds the registry (the table of tenants that are declared in the database instead of in tenant files), with a number for each change.
 * Adds the reports of processes about tenants that they cannot serve.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table tenants (
    tenant text primary key,
    declaration jsonb not null,
    mapping text,
    secrets bytea,
    state text not null,
    version integer not null,
    change bigint not null,
    changed_at timestamptz not null
  )`.execute(db);
  await sql`create unique index tenants_change on tenants (change)`.execute(db);
  await sql`create table tenant_reports (
    tenant text not null,
    process text not null,
    reason text not null,
    at timestamptz not null,
    primary key (process, tenant)
  )`.execute(db);
}
