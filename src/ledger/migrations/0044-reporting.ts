import { type Kysely, sql } from 'kysely';

/**
 * Adds the time since which a report to CRM users is due, or is on its way with an unknown result. The index finds reports whose sender (a
 * worker) has died.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column reporting_since timestamptz`.execute(db);
  await sql`
    create index links_reporting on links (tenant, reporting_since) where reporting_since is not null`.execute(db);
}
