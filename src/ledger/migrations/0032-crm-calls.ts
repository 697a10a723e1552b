import { type Kysely, sql } from 'kysely';

/** How many API calls each tenant's org was asked within an hour, by all processes, and what it told last of its daily limit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table crm_calls (
    tenant text not null,
    hour timestamptz not null,
    calls bigint not null,
    used bigint,
    org_limit bigint,
    reported_at timestamptz,
    primary key (tenant, hour)
  )`.execute(db);
  await sql`create index crm_calls_hour on crm_calls (hour)`.execute(db);
}
