import { type Kysely, sql } from 'kysely';

/** Adds the number of API calls to each tenant's org by hour, of all processes, and the daily limit that the org last reported. */
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
