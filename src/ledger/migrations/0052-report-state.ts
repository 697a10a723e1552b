import { type Kysely, sql } from 'kysely';

/**
 * Turns `reported` (the sync state that CRM users see of a record) from a text into an object (`domain/record/reported.ts`). Adds which
 * work sends a report whose result is not known yet. Two facts of the old text are kept. First, the next report must empty the fields with
 * the vendor's values, because an operator separated the opportunity from its vendor record. Second, the opportunity was deleted.
 * Everything else counts as unknown, so the next report about the record sends it again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index links_unreported`.execute(db);
  await sql`
    alter table links
      alter column reported type jsonb using case when reported is not null then jsonb_build_object(
        'owned', jsonb_build_object('is', case when reported like 'to-empty.%' then 'to-empty' else 'unknown' end),
        'row', jsonb_build_object('is', case when reported like '%.gone' then 'gone' else 'unknown' end)) end,
      add column reporting_by text check (reporting_by in ('record', 'wait'))`.execute(db);
  await sql`
    update links set reporting_by = case when reporting_since = updated_at then 'record' else 'wait' end
    where reporting_since is not null`.execute(db);
  await sql`
    create index links_unreported on links (tenant, waiting_since, key)
    where waiting_since is not null and (reported is null or reported->'row'->>'is' <> 'waiting')`.execute(db);
}
