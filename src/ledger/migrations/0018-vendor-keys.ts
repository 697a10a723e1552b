import { type Kysely, sql } from 'kysely';

/** Adds a tenant's vendor keys, all sealed: the key in use, the one before it, and one waiting to be registered. */
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
