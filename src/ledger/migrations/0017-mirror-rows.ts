import { type Kysely, sql } from 'kysely';

/**
 * Adds the mirrored rows: rows of the vendor that Lockstep copies into the CRM. A row has a fingerprint (hash) of its newest values and,
 * while it waits to be written, its encrypted content. Adds also a table of rows whose details must still be read at the vendor.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table mirror_rows (
    tenant text not null,
    object text not null,
    row_id text not null,
    master text,
    stamp timestamptz,
    fingerprint text not null,
    pending bytea,
    taken boolean not null default false,
    opportunity text,
    linked_to text,
    primary key (tenant, object, row_id)
  )`.execute(db);
  await sql`create index mirror_rows_pending on mirror_rows (tenant, object, row_id) where pending is not null`.execute(
    db,
  );
  await sql`create index mirror_rows_master on mirror_rows (tenant, master) where master is not null`.execute(db);
  await sql`create index mirror_rows_opportunity on mirror_rows (tenant, opportunity) where opportunity is not null`.execute(
    db,
  );
  await sql`create table due_details (
    tenant text not null,
    stream text not null,
    row_id text not null,
    stamp timestamptz,
    tries integer not null default 0,
    retry_at timestamptz not null,
    primary key (tenant, stream, row_id)
  )`.execute(db);
  await sql`create index due_details_retry on due_details (tenant, stream, retry_at, row_id)`.execute(db);
}
