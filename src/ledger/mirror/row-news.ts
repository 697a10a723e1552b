import { type RawBuilder, sql } from 'kysely';
import { DEAL_NEWS } from '../../domain/record/deal-news.ts';
import { byTenant } from '../core/by-tenant.ts';
import { openOrNull, type Place, place } from '../core/sealer.ts';
import type { Statement, Store } from '../core/store.ts';
import type { MirrorKey, MirrorLedger, ReadDetail } from './mirror-ledger.ts';
import type { NewsLedger, RefusedNotices } from './news-ledger.ts';

/** Stores the last known state of a mirrored row and, if it changed, what changed. Runs inside a transaction. */
export async function keepNews(
  store: Store,
  tenant: string,
  row: MirrorKey,
  { state, news, at }: NonNullable<ReadDetail['known']>,
): Promise<void> {
  const { object, id } = row;
  const sealed = store.sealer.seal(state, stateAt(tenant, row));
  await sql`update mirror_rows set state = ${sealed}
    where tenant = ${tenant} and object = ${object} and row_id = ${id}`.execute(store.db);
  if (news === null) return;
  const kept = store.sealer.seal(news, newsAt(tenant, row));
  await sql`insert into row_news (tenant, object, row_id, news, noted_at)
    values (${tenant}, ${object}, ${id}, ${kept}, ${at}::timestamptz)`.execute(store.db);
}

export const rowState: Statement<NewsLedger, 'rowState'> = async (store, tenant, row) => {
  const { rows } = await sql<{ state: Buffer | null }>`select state from mirror_rows
    where tenant = ${tenant} and object = ${row.object} and row_id = ${row.id}`.execute(store.db);
  return openOrNull(store.sealer, rows[0]?.state ?? null, stateAt(tenant, row));
};

export const dueNotices: Statement<NewsLedger, 'dueNotices'> = async (store, tenant, object, at, limit) => {
  await sql`delete from row_news
    where tenant = ${tenant} and object = ${object} and noted_at < ${at}::timestamptz - ${KEPT}`.execute(store.db);
  await makeUp(store, tenant, object, at, object === DEAL_NEWS ? OF_DEALS : OF_ROWS);
  type Data = { place: string; row_id: string; news: Buffer; notice: string; opportunity: string };
  const { rows } = await sql<Data>`
    with due as (
      select notice, min(place) as first from row_news
      where tenant = ${tenant} and object = ${object} and notice is not null and retry_at <= ${at}::timestamptz
      group by notice order by first limit ${limit})
    select n.place, n.row_id, n.news, n.notice, n.opportunity from row_news n join due on due.notice = n.notice
    where n.tenant = ${tenant} and n.object = ${object}
    order by due.first, n.place`.execute(store.db);
  return [...Map.groupBy(rows, ({ notice }) => notice)].map(([id, own]) => ({
    id,
    opportunityId: own[0]?.opportunity ?? '',
    news: own.map(({ row_id, news }) => store.sealer.open(news, newsAt(tenant, { object, id: row_id }))),
  }));
};

/** SQL: how long news (changes to report to owners) is kept if no notice can be sent. Older news is deleted. */
const KEPT = sql`interval '7 days'`;

/**
 * SQL that selects the opportunity of a mirrored row (such as an order). It selects none until the CRM has accepted the row and linked it
 * to an opportunity.
 */
const OF_ROWS = sql`select linked_to from mirror_rows m
  where m.tenant = n.tenant and m.object = n.object and m.row_id = n.row_id and m.taken and m.pending is null`;
const OF_DEALS = sql`select crm_id as linked_to from links l where l.tenant = n.tenant and l.key = n.row_id`;

/**
 * Makes one notice for each opportunity, from all its news (changes) that is in no notice yet. News about a row that the CRM has not linked
 * to an opportunity yet waits for a later call.
 */
async function makeUp(
  store: Store,
  tenant: string,
  object: string,
  at: string,
  opportunity: typeof OF_ROWS,
): Promise<void> {
  await sql`
    with open as (
      select n.place, m.linked_to from row_news n cross join lateral (${opportunity}) m
      where n.tenant = ${tenant} and n.object = ${object} and n.notice is null and m.linked_to is not null
      order by n.place for update of n),
    notices as materialized (
      select linked_to, gen_random_uuid()::text as id from open group by linked_to)
    update row_news n set notice = notices.id, opportunity = notices.linked_to, retry_at = ${at}::timestamptz
    from open join notices on notices.linked_to = open.linked_to
    where n.tenant = ${tenant} and n.place = open.place`.execute(store.db);
}

export const settleNotice: Statement<NewsLedger, 'settleNotice'> = async (store, tenant, id, outcome, at) => {
  if (outcome === 'sent') {
    await sql`delete from row_news where tenant = ${tenant} and notice = ${id}`.execute(store.db);
    return;
  }
  await sql`update row_news
    set tries = tries + 1, refusal = ${outcome.refused},
      retry_at = ${at}::timestamptz + least(interval '1 hour' * power(2, least(tries, 10)), interval '1 day')
    where tenant = ${tenant} and notice = ${id}`.execute(store.db);
};

export const refusedNotices: Statement<NewsLedger, 'refusedNotices'> = async (store, tenant) => {
  return (await refusedNoticesOf(store, [tenant])).get(tenant) ?? [];
};

export async function refusedNoticesOf(
  { db }: Store,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, readonly RefusedNotices[]>> {
  type Data = { tenant: string; reason: string | null; notices: string; since: Date; retry_at: Date };
  const { rows } = await sql<Data>`
    select tenant, refusal as reason, count(distinct notice) as notices, min(noted_at) as since, min(retry_at) as retry_at
    from row_news where tenant = any(${[...tenants]}::text[]) and tries > 0
    group by tenant, refusal order by count(distinct notice) desc, refusal`.execute(db);
  return byTenant(rows, ({ reason, notices, since, retry_at }) => ({
    ...{ reason, notices: Number(notices) },
    ...{ since: since.toISOString(), retryAt: retry_at.toISOString() },
  }));
}

/**
 * SQL condition that is true if `dueNotices` has work with the tenant's news about deals: it can make or return a notice, or drop news that
 * is too old. News about a deal that is not in the CRM waits, because such a deal has no owner.
 */
export function hasDueDealNews(tenant: RawBuilder<unknown>, at: string) {
  return sql<boolean>`exists (select from row_news n where n.tenant = ${tenant} and n.object = ${DEAL_NEWS}
    and (n.noted_at < ${at}::timestamptz - ${KEPT}
      or (n.notice is not null and n.retry_at <= ${at}::timestamptz)
      or (n.notice is null and exists (${OF_DEALS} and l.crm_id is not null))))`;
}

export const hasDealNews: Statement<NewsLedger, 'hasDealNews'> = async ({ db }, tenant, at) => {
  const { rows } = await sql<{ due: boolean }>`select ${hasDueDealNews(sql`${tenant}`, at)} as due`.execute(db);
  return rows[0]?.due === true;
};

export const dropDealNews: Statement<NewsLedger, 'dropDealNews'> = async ({ db }, tenant) => {
  await sql`delete from row_news where tenant = ${tenant} and object = ${DEAL_NEWS}`.execute(db);
};

/** Makes notices that the CRM refused due again at once, and returns their number. */
async function retryNotices({ db }: Store, tenant: string, at: string): Promise<number> {
  const { rows } = await sql<{ notices: string }>`
    with retried as (
      update row_news set retry_at = ${at}::timestamptz
      where tenant = ${tenant} and tries > 0 and retry_at > ${at}::timestamptz returning notice)
    select count(distinct notice) as notices from retried`.execute(db);
  return Number(rows[0]?.notices ?? 0);
}

/**
 * Makes a tenant's failed work due again at once: rows and notices that the CRM refused, and rows whose details could not be read at the
 * vendor. Returns their number.
 */
export const retryRefusedRows: Statement<MirrorLedger, 'retryRefusedRows'> = async (store, tenant, at) => {
  const { numAffectedRows: rows = 0n } = await sql`update refused_rows set retry_at = ${at}::timestamptz
    where tenant = ${tenant} and retry_at > ${at}::timestamptz`.execute(store.db);
  const { numAffectedRows: details = 0n } = await sql`update due_details set retry_at = ${at}::timestamptz
    where tenant = ${tenant} and tries > 0 and retry_at > ${at}::timestamptz`.execute(store.db);
  return Number(rows + details) + (await retryNotices(store, tenant, at));
};

function stateAt(tenant: string, { object, id }: MirrorKey): Place {
  return place(tenant, 'mirror_rows', 'state', object, id);
}

function newsAt(tenant: string, { object, id }: MirrorKey): Place {
  return place(tenant, 'row_news', 'news', object, id);
}
