import { type Kysely, sql } from 'kysely';

/**
 * Adds the published versions of tenants' mappings. `content` is sealed for its tenant and version, so that a writer of the database cannot
 * change where values go. `change` counts the publications of all tenants, so that processes ask only for new ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table mapping_versions (
    tenant text not null,
    version integer not null,
    change bigint not null,
    published_at timestamptz not null,
    content bytea not null,
    primary key (tenant, version)
  )`.execute(db);
  await sql`create unique index mapping_versions_change on mapping_versions (change)`.execute(db);
}
