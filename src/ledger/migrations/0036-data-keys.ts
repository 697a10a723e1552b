import { type Kysely, sql } from 'kysely';

/**
 * Adds the data keys of tenants (each encrypts one tenant's values), encrypted with the sealing key of the installation, and when each was
 * destroyed. An empty ledger uses data keys at once. Any other ledger uses them only after `useDataKeys`, because older processes cannot
 * read values that are encrypted with them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table data_keys (
    tenant text not null,
    id text not null,
    sealed bytea,
    made_at timestamptz not null default now(),
    destroyed_at timestamptz,
    primary key (tenant, id)
  )`.execute(db);
  await sql`create unique index data_keys_live on data_keys (tenant) where sealed is not null`.execute(db);
  await sql`create table data_keys_in_use (since timestamptz primary key)`.execute(db);
  await sql`insert into data_keys_in_use (since) select now()
    where not exists (select from links) and not exists (select from tenants)
      and not exists (select from vendor_keys)`.execute(db);
}
