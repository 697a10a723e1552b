import { type Kysely, sql } from 'kysely';

/**
 * Adds a table with three times for each linked pair of records: when an audit last judged the CRM record, when an audit last found that
 * the vendor record has not changed since Lockstep read it, and when an audit last found that the two records differ.
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
