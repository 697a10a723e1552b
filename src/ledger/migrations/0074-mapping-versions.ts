import { type Kysely, sql } from 'kysely';

/**
 * Adds the published versions of tenants' mappings. `content` is encrypted and bound to its tenant and version, so that an attacker who can
 * only write to the database cannot change a mapping so that values go to other fields. `change` numbers the publications of all tenants,
 * so that processes read only new ones.
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
