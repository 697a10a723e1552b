import { sql } from 'kysely';
import type { FieldDecision } from '../../domain/record/field-decision.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import { openOrNull, place } from '../core/sealer.ts';
import type { Statement } from '../core/store.ts';
import type { LinkLedger } from './link-ledger.ts';

type Row = {
  readonly key: string;
  readonly id: string;
  readonly seq: string;
  readonly at: Date;
  readonly kind: JournalEntry['kind'];
  readonly summary: JournalEntry['summary'];
  readonly decisions: Buffer | null;
  readonly crm_id: string | null;
  readonly vendor_id: string | null;
};

/**
 * Reads lines of the journal (the log of decisions), sorted by link and then by time: first all lines of one deal, then all lines of the
 * next.
 */
export const journalPage: Statement<LinkLedger, 'journalPage'> = async (store, tenant, { since, after, limit }) => {
  const next =
    after === null
      ? sql``
      : sql`and (j.key, j.at, j.seq) > (${after.key}, ${after.at}::timestamptz, ${after.seq}::bigint)`;
  const { rows } = await sql<Row>`
    with page as (
      select j.key, j.id, j.seq, j.at, j.kind, j.summary, j.decisions from journal j
      where j.tenant = ${tenant} and j.at >= ${since}::timestamptz ${next}
      order by j.key, j.at, j.seq limit ${limit}
    )
    select page.*, l.crm_id, l.vendor_id from page
    left join link_aliases a on a.tenant = ${tenant} and a.alias = page.key
    left join links l on l.tenant = ${tenant} and l.key = coalesce(a.key, page.key)
    order by page.key, page.at, page.seq`.execute(store.db);
  return rows.map(({ key, id, seq, at, kind, summary, decisions, crm_id: crmId, vendor_id: vendorId }) => {
    const context = place(tenant, 'journal', 'decisions', key, id);
    const entry = {
      at: at.toISOString(),
      kind,
      summary,
      decisions: openOrNull<FieldDecision[]>(store.sealer, decisions, context) ?? [],
    };
    return { place: { key, at: entry.at, seq }, crmId, vendorId, entry };
  });
};
