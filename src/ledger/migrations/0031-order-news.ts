import { type Kysely, sql } from 'kysely';

/**
 * Adds to mirrored rows (copies of the vendor's orders) their last known state (`state`, encrypted). Adds a table of the changes of such
 * rows, from which Lockstep makes notices to the opportunities' owners. All changes that one notice reports contain the notice's id.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mirror_rows add column state bytea`.execute(db);
  await sql`create table row_news (
    tenant text not null,
    place bigint generated always as identity,
    object text not null,
    row_id text not null,
    news bytea not null,
    noted_at timestamptz not null,
    notice text,
    opportunity text,
    tries integer not null default 0,
    retry_at timestamptz,
    primary key (tenant, place)
  )`.execute(db);
  await sql`create index row_news_notice on row_news (tenant, object, notice)`.execute(db);
}
