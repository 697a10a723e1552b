import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { FieldDecision } from '../../domain/record/field-decision.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import { DEFAULT_RETENTION } from '../../domain/record/retention.ts';
import { hex, openOrNull, place, sealOrNull } from '../core/sealer.ts';
import type { Statement, Store } from '../core/store.ts';
import type { LinkLedger } from './link-ledger.ts';
import { aliasesOf, followAlias } from './links.ts';

/** A line that is to be added to the journal (the log of decisions) of the link `key`. */
export type NewLine = { readonly key: string; readonly entry: JournalEntry };

/**
 * Adds lines to the journal (the log of decisions) of a link. A line never changes. It is deleted with all lines of its month when the
 * tenant's retention has passed.
 */
export async function addJournal(
  store: Store,
  tenant: string,
  key: string,
  entries: readonly JournalEntry[],
): Promise<void> {
  const lines = entries.map((entry) => ({ key, entry }));
  if (lines.length > 0) await journalInsert(store, tenant, lines).execute(store.db);
}

/**
 * The statement that adds journal lines, in the given order. `among`: an SQL join that limits the lines to links that another part of the
 * statement has changed.
 */
export function journalInsert(store: Store, tenant: string, lines: readonly NewLine[], among = sql``) {
  const given = lines.map(({ key, entry: { at, kind, summary, decisions } }) => {
    const id = randomUUID();
    const sealed = sealOrNull(
      store.sealer,
      decisions.length === 0 ? null : decisions,
      place(tenant, 'journal', 'decisions', key, id),
    );
    return { key, id, at, kind, summary, decisions: sealed === null ? null : hex(sealed) };
  });
  return sql`insert into journal (tenant, key, id, at, kind, summary, decisions, expires_on)
    select ${tenant}, line.key, line.id, line.at, line.kind,
      case when line.kind = 'remote-write' then line.summary || ${ofBackfill(tenant)} else line.summary end, line.decisions,
      (line.at at time zone 'UTC')::date + coalesce(
        (select journal_days from retention where tenant = ${tenant}), ${DEFAULT_RETENTION.journalDays}::integer)
    from rows from (json_to_recordset(${JSON.stringify(given)}::json)
      as (key text, id text, at timestamptz, kind text, summary jsonb, decisions bytea)) with ordinality
      as line (key, id, at, kind, summary, decisions, place) ${among}
    order by line.place`;
}

/**
 * SQL for a JSON object with the number of the backfill that caused a write, by which an undo finds the backfill's writes. The object is
 * empty if no backfill is processing the link.
 */
function ofBackfill(tenant: string) {
  return sql`coalesce((
    select jsonb_build_object('backfill', c.position->'number')
    from links l join cursors c on c.tenant = l.tenant and c.stream = 'backfill'
    where l.tenant = ${tenant} and l.key = line.key and l.bulk_share is not null
      and c.position->>'phase' <> 'over' and c.position->>'number' is not null
      and exists (
        select from backfill_rows r where r.tenant = l.tenant and r.state in ('marked', 'woken')
          and ((r.side = 'vendor' and r.id = l.vendor_id) or (r.side = 'crm' and r.id = l.crm_id)))
  ), '{}'::jsonb)`;
}

/** Reads the journal (the log of decisions) of a link, newest line first, including lines of links that were merged into this link. */
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
