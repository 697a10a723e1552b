import { type Kysely, sql } from 'kysely';
import { DEFAULT_RETENTION } from '../../domain/record/retention.ts';

const DAYS = sql.lit(DEFAULT_RETENTION.journalDays);

const STATEMENTS = [
  sql`create table retention (
    tenant text primary key,
    journal_days integer not null,
    is_shortened boolean not null default false,
    looked_at timestamptz not null
  )`,
  sql`create table forgotten_rows (
    tenant text not null,
    kind text not null,
    removed bigint not null,
    primary key (tenant, kind)
  )`,
  sql`create index plans_created on plans (tenant, created_at)`,
  sql`alter table journal rename to journal_whole`,
  sql`alter index journal_pkey rename to journal_whole_pkey`,
  sql`drop index journal_key`,
  sql`create sequence journal_lines`,
  sql`create table journal (
    seq bigint not null default nextval('journal_lines'),
    tenant text not null,
    key text not null,
    id text not null,
    at timestamptz not null,
    kind text not null,
    summary jsonb not null,
    decisions bytea,
    expires_on date not null default (current_date + ${DAYS}::integer),
    primary key (expires_on, seq),
    foreign key (tenant, key) references links (tenant, key)
  ) partition by range (expires_on)`,
  sql`alter sequence journal_lines owned by journal.seq`,
  sql`create index journal_key on journal (tenant, key, at, seq)`,
  sql`create index journal_at on journal (tenant, at)`,
  sql`create table journal_rest partition of journal default`,
  sql`do $$
    declare month date := date_trunc('month', now() at time zone 'UTC');
    begin
      while month <= current_date + ${DAYS}::integer + 31 loop
        execute format('create table %I partition of journal for values from (%L) to (%L)',
          'journal_' || to_char(month, 'YYYY_MM'), month, (month + interval '1 month')::date);
        month := month + interval '1 month';
      end loop;
    end $$`,
  sql`insert into journal (seq, tenant, key, id, at, kind, summary, decisions, expires_on)
    select seq, tenant, key, id, at, kind, summary, decisions,
      greatest((at at time zone 'UTC')::date + ${DAYS}::integer, current_date)
    from journal_whole`,
  sql`select setval('journal_lines', greatest(1, (select max(seq) from journal_whole)))`,
  sql`drop table journal_whole`,
];

/**
 * Partitions the journal by the month in which its lines expire, so that a whole month can be dropped at once. Adds an index for plans by
 * age, the retention of each tenant, and the number of deleted rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await statement.execute(db);
}
