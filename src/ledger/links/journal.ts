import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { FieldDecision } from '../../domain/record/field-decision.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import { DEFAULT_RETENTION } from '../../domain/record/retention.ts';
import { openOrNull, place } from '../core/sealer.ts';
import type { Statement, Store } from '../core/store.ts';
import type { LinkLedger } from './link-ledger.ts';
import { aliasesOf, followAlias } from './links.ts';

/** Adds lines to the journal. A line never changes. It is deleted with all lines of its month when the tenant's retention has passed. */
export async function addJournal(
  store: Store,
  tenant: string,
  key: string,
  entries: readonly JournalEntry[],
): Promise<void> {
  if (entries.length > 0) await journalInsert(store, tenant, key, entries).execute(store.db);
}

/** The statement that adds journal lines, at least one. `condition`: a `where` clause for the insert. */
export function journalInsert(
  store: Store,
  tenant: string,
  key: string,
  entries: readonly JournalEntry[],
  condition = sql``,
) {
  const lines = entries.map(({ at, kind, summary, decisions }) => {
    const id = randomUUID();
    const sealed =
      decisions.length === 0 ? null : store.sealer.seal(decisions, place(tenant, 'journal', 'decisions', key, id));
    return sql`(${tenant}, ${key}, ${id}, ${at}::timestamptz, ${kind}, ${JSON.stringify(summary)}::jsonb ${kind === 'remote-write' ? ofBackfill(tenant, key) : sql``}, ${sealed}::bytea,
      ${expiry(tenant, at)})`;
  });
  return sql`insert into journal (tenant, key, id, at, kind, summary, decisions, expires_on)
    select * from (values ${sql.join(lines)}) as line ${condition}`;
}

/**
 * SQL that adds to a write's summary the number of the backfill that caused it, so that an undo can find the backfill's writes. Only for a
 * link whose work is bulk work.
 */
function ofBackfill(tenant: string, key: string) {
  return sql`|| coalesce((
    select jsonb_build_object('backfill', c.position->'number')
    from links l join cursors c on c.tenant = l.tenant and c.stream = 'backfill'
    where l.tenant = ${tenant} and l.key = ${key} and l.bulk_share is not null
      and c.position->>'phase' <> 'over' and c.position->>'number' is not null
      and exists (
        select from backfill_rows r where r.tenant = l.tenant and r.state in ('marked', 'woken')
          and ((r.side = 'vendor' and r.id = l.vendor_id) or (r.side = 'crm' and r.id = l.crm_id)))
  ), '{}'::jsonb)`;
}

function expiry(tenant: string, at: string) {
  return sql<string>`(${at}::timestamptz at time zone 'UTC')::date + coalesce(
    (select journal_days from retention where tenant = ${tenant}), ${DEFAULT_RETENTION.journalDays}::integer)`;
}

/** Reads the journal of a link, including lines of links that were merged into it. */
export const readJournal: Statement<LinkLedger, 'journal'> = async (store, tenant, key, limit) => {
  const survivor = await followAlias(store, tenant, key);
  // A list of keys, because with a sub-query PostgreSQL would read the journal of the whole tenant.
  const superseded = await aliasesOf(store, tenant, survivor).execute();
  const rows = await store.db
    .selectFrom('journal')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('key', 'in', [survivor, ...superseded.map(({ alias }) => alias)])
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const context = place(tenant, 'journal', 'decisions', row.key, row.id);
    const decisions = openOrNull<FieldDecision[]>(store.sealer, row.decisions, context) ?? [];
    return { at: row.at.toISOString(), kind: row.kind, summary: row.summary, decisions };
  });
};
