import { type Kysely, sql } from 'kysely';

/** Adds for each link when an audit last compared each side, and when an audit last found the two sides to differ. */
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
