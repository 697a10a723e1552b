import { type Kysely, sql } from 'kysely';

/**
 * Adds three times to links: when an audit last compared the CRM side, when an audit last compared the vendor side, and when an audit last
 * found that the two sides differ.
 */
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
