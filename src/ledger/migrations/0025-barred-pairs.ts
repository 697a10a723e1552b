import { type Kysely, sql } from 'kysely';

/**
 * Adds the pairs of records that an operator separated, so that Lockstep does not link them again. Adds to links the side (CRM or vendor)
 * that an operator prefers in fields on which the two sides never agreed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table barred_pairs (
    tenant text not null,
    crm_id text not null,
    vendor_id text not null,
    at timestamptz not null,
    primary key (tenant, crm_id, vendor_id)
  )`.execute(db);
  await sql`create index barred_pairs_vendor on barred_pairs (tenant, vendor_id)`.execute(db);
  await sql`alter table links add column first_pick text`.execute(db);
}
