import { type Kysely, sql } from 'kysely';

/**
 * Adds a tenant's keys for the vendor's API, all encrypted: the key in use, the one before it, and a new one that is not registered yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table vendor_keys (
    tenant text primary key,
    in_use bytea,
    in_use_hash text,
    previous bytea,
    waiting bytea,
    waiting_hash text,
    asked_at timestamptz,
    waiting_since timestamptz,
    switched_at timestamptz,
    proven_at timestamptz
  )`.execute(db);
}
