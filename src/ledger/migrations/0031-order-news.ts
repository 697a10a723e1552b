import { type Kysely, sql } from 'kysely';

/**
 * What a mirrored row was known to be when it was read last (`state`, sealed), and what of its changes its opportunity's owner is to
 * be told. News of one opportunity that is told together has the id of one notice.
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
