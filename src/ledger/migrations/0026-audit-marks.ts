import { type Kysely, sql } from 'kysely';

/** Adds, for each link, when an audit last found each side as expected, and when it last found the sides to differ. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table audit_marks (
    tenant text not null,
    key text not null,
    vendor_at timestamptz,
    crm_at timestamptz,
    differs_at timestamptz,
    primary key (tenant, key)
  )`.execute(db);
}
