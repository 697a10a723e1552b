import { type Kysely, sql } from 'kysely';

/**
 * Changes the functions that create and drop the journal's monthly partitions, so that they name the table `journal` with its schema. These
 * functions run with the rights of the tables' owner. Without the schema, the name could mean a temporary table or view of the caller.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function add_journal_month(first date) returns void
    language plpgsql security definer set search_path from current as $$
    begin
      if first <> date_trunc('month', first) then raise exception 'not the first day of a month'; end if;
      execute format('create table if not exists %1$I.%2$I partition of %1$I.journal for values from (%3$L) to (%4$L)',
        current_schema(), to_char(first, '"journal_"YYYY_MM'), first, (first + interval '1 month')::date);
    end $$`.execute(db);
  await sql`create or replace function drop_journal_month(first date) returns table (tenant text, n bigint)
    language plpgsql security definer set search_path from current as $$
    declare month text := format('%I.%I', current_schema(), to_char(first, '"journal_"YYYY_MM'));
    begin
      return query execute format('select tenant, count(*) from %s group by tenant', month);
      execute format('drop table %s', month);
    end $$`.execute(db);
}
