import { sql } from 'kysely';
import type { Statement, Store } from '../core/store.ts';
import type { DueTotals, MirrorLedger, SettledRow } from './mirror-ledger.ts';

/**
 * Marks the opportunities whose order totals must be computed again after these rows were written to the CRM: the opportunities to which
 * the rows belonged before the write, and those to which they belong now.
 */
export async function markTotals(
  store: Store,
  tenant: string,
  object: string,
  rows: readonly SettledRow[],
  at: string,
): Promise<void> {
  const taken = rows.filter(({ isTaken }) => isTaken);
  await sql`
    insert into due_totals (tenant, opportunity, marked_at, retry_at)
    select distinct ${tenant}, linked.opportunity, ${at}::timestamptz, ${at}::timestamptz
    from unnest(${taken.map(({ id }) => id)}::text[], ${taken.map((row) => row.linkedTo ?? null)}::text[])
      as s (row_id, linked_to)
    join mirror_rows m on m.tenant = ${tenant} and m.object = ${object} and m.row_id = s.row_id
    cross join lateral (values (m.linked_to), (s.linked_to)) as linked (opportunity)
    where linked.opportunity is not null
    order by 2
    on conflict (tenant, opportunity) do update
    set marked_at = excluded.marked_at, tries = 0, retry_at = excluded.retry_at`.execute(store.db);
}

export const dueTotals: Statement<MirrorLedger, 'dueTotals'> = async (store, tenant, at, limit) => {
  const { rows } = await sql<{ opportunity: string; marked_at: Date }>`
    select opportunity, marked_at from due_totals
    where tenant = ${tenant} and retry_at <= ${at}::timestamptz
    order by retry_at, opportunity limit ${limit}`.execute(store.db);
  return rows.map(({ opportunity, marked_at }) => ({
    opportunityId: opportunity,
    markedAt: marked_at.toISOString(),
  }));
};

export const settleTotals: Statement<MirrorLedger, 'settleTotals'> = async (
  store,
  tenant,
  { written, refused },
  at,
) => {
  const of = (some: readonly DueTotals[], key: keyof DueTotals) => some.map((one) => one[key]);
  await sql`delete from due_totals d
    using unnest(${of(written, 'opportunityId')}::text[], ${of(written, 'markedAt')}::timestamptz[]) as t (opportunity, marked_at)
    where d.tenant = ${tenant} and d.opportunity = t.opportunity and d.marked_at = t.marked_at`.execute(store.db);
  await sql`update due_totals d
    set tries = d.tries + 1,
      retry_at = ${at}::timestamptz + case
        when d.tries < 4 then interval '1 minute' * (array[1, 5, 15, 60])[d.tries + 1]
        else least(interval '1 hour' * power(2, least(d.tries - 3, 10)), interval '1 day') end
    from unnest(${of(refused, 'opportunityId')}::text[], ${of(refused, 'markedAt')}::timestamptz[])
      as t (opportunity, marked_at)
    where d.tenant = ${tenant} and d.opportunity = t.opportunity and d.marked_at = t.marked_at`.execute(store.db);
};
