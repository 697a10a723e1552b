import { sql } from 'kysely';
import type { WaitReason } from '../../domain/record/wait-reason.ts';
import { byTenant } from '../core/by-tenant.ts';
import type { Statement, Store } from '../core/store.ts';
import { toLink } from '../links/link-row.ts';
import type { NotedReport, WaitingCount, WaitingLedger } from './waiting-ledger.ts';

/** Link states in which users cannot see that a change of the record waits: they see no state, or that the record is in sync or pending. */
const SAYS_NOTHING = sql`('new', 'in-sync', 'pending')`;
/**
 * SQL condition: the last report to CRM users does not say that the record waits. The condition of the index `links_unreported` contains
 * the same text.
 */
const SHOWS_NO_WAIT = sql<boolean>`(reported is null or reported->'row'->>'is' <> 'waiting')`;

/**
 * SQL condition: the link has a change that has waited since `before` or longer, and users cannot see this. PostgreSQL uses the index
 * `links_unreported`, whose condition is a part of this one.
 */
export function isUnreportedWaiting(before: string) {
  return sql<boolean>`waiting_since is not null and waiting_since <= ${before}::timestamptz and crm_id is not null
    and state in ${SAYS_NOTHING} and ${SHOWS_NO_WAIT}`;
}

export const noteWaiting: Statement<WaitingLedger, 'noteWaiting'> = async (store, tenant, key, waitsFor) => {
  const row = await store.db
    .updateTable('links')
    .set({ waiting_for: waitsFor })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .where('waiting_since', 'is not', null)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : toLink(row, store.sealer);
};

export const unreportedWaiting: Statement<WaitingLedger, 'unreportedWaiting'> = async (
  store,
  tenant,
  before,
  limit,
) => {
  const rows = await store.db
    .selectFrom('links')
    .select(['key', 'crm_id', 'reported', 'waiting_for', 'waiting_since', 'in_burst'])
    .where('tenant', '=', tenant)
    .where('waiting_since', 'is not', null)
    .where('waiting_since', '<=', new Date(before))
    .where('crm_id', 'is not', null)
    .where(sql<boolean>`state in ${SAYS_NOTHING}`)
    .where(SHOWS_NO_WAIT)
    .orderBy('waiting_since')
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.key,
    crmId: row.crm_id as string,
    reported: row.reported,
    waitingFor: row.waiting_for,
    since: (row.waiting_since as Date).toISOString(),
    ...(row.in_burst ? { inBurst: true } : {}),
  }));
};

export const unconfirmedReports: Statement<WaitingLedger, 'unconfirmedReports'> = async (
  store,
  tenant,
  before,
  limit,
) => {
  return store.db
    .selectFrom('links')
    .select(['key', 'reported'])
    .where('tenant', '=', tenant)
    .where('reporting_since', '<=', new Date(before))
    .orderBy('reporting_since')
    .limit(limit)
    .execute();
};

/**
 * Stores reports which say to CRM users that a record waits, and returns the keys of links that do not wait any more, so that a report
 * about them is wrong. If the reports were already sent (`isBefore` is false), these links become due, so that a new report corrects the
 * wrong one. They stay in their burst (records that changed together), so that the corrections are sent together.
 */
export async function noteReported(
  store: Store,
  tenant: string,
  reports: readonly NotedReport[],
  at: string,
  isBefore = false,
): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    with given as (select key, reported from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as one (key text, reported jsonb)),
    chosen as (
      select l.key, l.due_since is null and l.state <> 'superseded' as is_over
      from links l join given using (key) where l.tenant = ${tenant} order by l.key for no key update of l
    ),
    noted as (
      update links l
      set reported = given.reported,
          generation = l.generation + chosen.is_over::int,
          due_since = case when chosen.is_over then ${at}::timestamptz else l.due_since end,
          marked_at = case when chosen.is_over then greatest(l.marked_at, ${at}::timestamptz) else l.marked_at end,
          reporting_since = case when ${isBefore}::boolean then ${at}::timestamptz end,
          reporting_by = case when ${isBefore}::boolean then 'wait' end
      from chosen join given using (key)
      where l.tenant = ${tenant} and l.key = chosen.key and not (${isBefore}::boolean and chosen.is_over)
    )
    select key from chosen where is_over`.execute(store.db);
  return rows.map(({ key }) => key);
}

export const countWaiting: Statement<WaitingLedger, 'countWaiting'> = async (store, tenant, before) => {
  return (await countWaitingOf(store, [tenant], before)).get(tenant) ?? [];
};

/**
 * Counts the links with a waiting change by reason, with one statement. The statement has a sub-query for each tenant, so that PostgreSQL
 * uses the index `links_due` for any number of tenants.
 */
export async function countWaitingOf(
  { db }: Store,
  tenants: readonly string[],
  before: string,
): Promise<ReadonlyMap<string, readonly WaitingCount[]>> {
  type Row = {
    tenant: string;
    waiting_for: WaitReason | null;
    records: string;
    since: Date;
    longest: string;
  };
  const { rows } = await sql<Row>`
    select t.tenant, w.waiting_for, w.records, w.since, w.longest from unnest(${[...tenants]}::text[]) as t (tenant)
    cross join lateral (
      select waiting_for, count(*) as records, min(waiting_since) as since,
        (array_agg(coalesce(crm_id, vendor_id, key) order by waiting_since, key))[1] as longest from links
      where tenant = t.tenant and due_since is not null and waiting_since <= ${before}::timestamptz
        and state <> 'superseded'
      group by waiting_for) as w
    order by w.since`.execute(db);
  return byTenant(rows, ({ waiting_for: waitsFor, records, since, longest }) => ({
    ...{ waitsFor, records: Number(records), since: since.toISOString(), longest },
  }));
}
