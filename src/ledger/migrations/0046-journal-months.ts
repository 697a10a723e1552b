import { type Kysely, sql } from 'kysely';

/**
 * Adds functions that create and drop the partition for one month of the journal (the log of decisions). They run with the rights of the
 * tables' owner, so that workers need not own the tables. A role that may call them can also delete journal lines.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function add_journal_month(first date) returns void
    language plpgsql security definer set search_path from current as $$
    begin
      if first <> date_trunc('month', first) then raise exception 'not the first day of a month'; end if;
      execute format('create table if not exists %I partition of journal for values from (%L) to (%L)',
        to_char(first, '"journal_"YYYY_MM'), first, (first + interval '1 month')::date);
    end $$`.execute(db);
  await sql`create function drop_journal_month(first date) returns table (tenant text, n bigint)
    language plpgsql security definer set search_path from current as $$
    begin
      return query execute format('select tenant, count(*) from %I group by tenant', to_char(first, '"journal_"YYYY_MM'));
      execute format('drop table %I', to_char(first, '"journal_"YYYY_MM'));
    end $$`.execute(db);
  await sql`revoke execute on function add_journal_month(date), drop_journal_month(date) from public`.execute(db);
}
