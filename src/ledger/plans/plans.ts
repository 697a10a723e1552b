import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { CrmGraph } from '../../domain/record/crm-graph.ts';
import type { PlansTable } from '../core/database.ts';
import { firstOfEach } from '../core/first-of-each.ts';
import { hexOrNull, openOrNull, place, sealOrNull } from '../core/sealer.ts';
import { despiteRaces, inTransaction, type Statement, type Store } from '../core/store.ts';
import { LedgerError } from '../ledger-error.ts';
import { barredFrom } from '../links/barred-pairs.ts';
import type { PlanLedger, Sending, SettledPlan, StoredPlan } from './plan-ledger.ts';

/**
 * Stores plans with one statement, each if its link still has the expected version. Returns their ids; null for a plan that was not stored.
 * Stores only the first of several plans of one link.
 */
export const savePlans: Statement<PlanLedger, 'savePlans'> = async (store, tenant, given) => {
  const plans = firstOfEach(given, ({ plan }) => plan.key).map(({ plan, expected }) => ({
    ...{ id: randomUUID(), plan, expected },
  }));
  const rows = plans.map(({ id, plan }) => ({
    ...{
      id,
      key: plan.key,
      created_at: plan.createdAt,
      crm_read_at: plan.crmReadAt,
      vendor_read_at: plan.vendorReadAt,
    },
    ...{ generation: plan.generation, next: plan.plan.next },
    graph: hexOrNull(sealOrNull(store.sealer, plan.graph, place(tenant, 'plans', 'graph', id))),
    plan: hexOrNull(store.sealer.seal(plan.plan, place(tenant, 'plans', 'plan', id))),
  }));
  const { rows: saved } = await sql<{ readonly id: string }>`
    with given as (
      select * from json_populate_recordset(null::plans, ${JSON.stringify(rows)}::json)
    ), chosen as (
      select l.key, e.id from links l
      join unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ id }) => id)}::text[],
        ${plans.map(({ expected }) => expected !== undefined)}::boolean[],
        ${plans.map(({ expected }) => expected?.updatedAt ?? null)}::timestamptz[],
        ${plans.map(({ expected }) => expected?.newestPlan ?? null)}::text[])
        as e (key, id, is_fenced, updated_at, newest_plan) on e.key = l.key
      where l.tenant = ${tenant} and l.key = any(${rows.map(({ key }) => key)}::text[])
        and (not e.is_fenced or (date_trunc('milliseconds', l.updated_at) = e.updated_at
          and l.newest_plan is not distinct from e.newest_plan))
      order by l.key for no key update of l
    ), link as (
      update links l set newest_plan = chosen.id from chosen where l.tenant = ${tenant} and l.key = chosen.key
    )
    insert into plans (tenant, id, key, created_at, crm_read_at, vendor_read_at, graph, generation, next, plan)
    select ${tenant}, id, given.key, created_at, crm_read_at, vendor_read_at, graph, generation, next, plan
    from given join chosen using (id) returning id`.execute(store.db);
  const ids = new Set(saved.map(({ id }) => id));
  const idOf = new Map(plans.map(({ id, plan }) => [plan, ids.has(id) ? id : null]));
  return given.map(({ plan }) => idOf.get(plan) ?? null);
};

/**
 * Stores a plan, if the link still has the expected version. Throws LedgerError `CHANGED` if it does not, and `23503` if the link does not
 * exist.
 */
export const savePlan: Statement<PlanLedger, 'savePlan'> = async (store, tenant, plan, expected) => {
  const [id] = await savePlans(store, tenant, [expected === undefined ? { plan } : { plan, expected }]);
  if (id != null) return id;
  throw await notSaved(store, tenant, plan.key);
};

const SETTLED: SettledPlan = { next: 'settled' };

/**
 * Columns to set on a plan whose outcome is known. They delete the planned values, because the link's base (last agreed values) and journal
 * now contain them.
 */
export function settledColumns(store: Store, tenant: string, planId: string, outcome = 'settled') {
  return { outcome, graph: null, plan: settledPlan(store, tenant, planId) };
}

/** The content of a plan whose outcome is known, encrypted. */
export function settledPlan({ sealer }: Store, tenant: string, planId: string): Buffer {
  return sealer.seal(SETTLED, place(tenant, 'plans', 'plan', planId));
}

async function notSaved(store: Store, tenant: string, key: string): Promise<LedgerError> {
  const found = await store.db
    .selectFrom('links')
    .select('key')
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .executeTakeFirst();
  return found === undefined
    ? new LedgerError('23503', 'There is no such link.')
    : new LedgerError('CHANGED', 'Another writer has settled or planned something of the link.');
}

export const loadPlans: Statement<PlanLedger, 'loadPlans'> = async (store, tenant, ids) => {
  const rows = await store.db
    .selectFrom('plans')
    .selectAll()
    .where('tenant', '=', tenant)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, toStoredPlan(store, row)]));
};

export const loadPlan: Statement<PlanLedger, 'loadPlan'> = async (store, tenant, id) => {
  return (await loadPlans(store, tenant, [id])).get(id) ?? null;
};

function toStoredPlan({ sealer }: Store, row: Selectable<PlansTable>): StoredPlan {
  const { tenant, id } = row;
  return {
    ...{ id, tenant, key: row.key, createdAt: row.created_at.toISOString() },
    crmReadAt: row.crm_read_at?.toISOString() ?? null,
    vendorReadAt: row.vendor_read_at?.toISOString() ?? null,
    graph: openOrNull<CrmGraph>(sealer, row.graph, place(tenant, 'plans', 'graph', id)),
    generation: row.generation,
    plan: sealer.open(row.plan, place(tenant, 'plans', 'plan', id)) as StoredPlan['plan'],
    sentAt: row.sent_at?.toISOString() ?? null,
    outcome: row.outcome,
  };
}

export const lastSentAt: Statement<PlanLedger, 'lastSentAt'> = async (store, tenant, key) => {
  const row = await store.db
    .selectFrom('plans')
    .select('sent_at')
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .where('sent_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.sent_at?.toISOString() ?? null;
};

/**
 * Notes that a plan's write is about to be sent; returns true to exactly one caller. False if the plan has an outcome, rests on old
 * readings or is not its link's newest, if the link is superseded, or, for a create, if the link has a counterpart or was separated from
 * one. Sets the link's version to `at`, which stops stalled writers.
 */
export async function markSent(store: Store, tenant: string, planId: string, sending: Sending): Promise<boolean> {
  const [left] = await despiteRaces(() => markAllSent(store, tenant, [{ planId, sending }]));
  return left ?? inTransaction(store, (tx) => sendInTransaction(tx, tenant, planId, sending));
}

/**
 * Notes updates as sent, with one statement that also locks the links and checks the conditions. Null for a create, for an unknown plan, and
 * for a plan that is given again: the caller marks these singly. A side that did not influence the update has no read time (null), which
 * SQL's `least` ignores.
 */
export const markAllSent: Statement<PlanLedger, 'markAllSent'> = async (store, tenant, given) => {
  const updates = firstOfEach(given, ({ planId }) => planId).filter(({ sending }) => sending.uncertain !== 'create');
  if (updates.length === 0) return given.map(() => null);
  const ids = updates.map(({ planId }) => planId);
  const { rows } = await sql<{ readonly id: string; readonly makes: boolean; readonly left: boolean }>`
    with given as (
      select * from unnest(${ids}::text[], ${updates.map(({ sending }) => sending.at)}::timestamptz[],
        ${updates.map(({ sending }) => sending.uncertain)}::text[],
        ${updates.map(({ sending }) => sending.notBefore)}::timestamptz[]) as one (id, at, uncertain, not_before)
    ), link as (
      select p.id, l.key, l.state, l.crm_id, l.newest_plan from plans p join links l on l.tenant = p.tenant and l.key = p.key
      where p.tenant = ${tenant} and p.id = any(${ids}::text[]) order by l.key for no key update of l
    ), sent as (
      update plans p set sent_at = given.at from link join given using (id)
      where p.tenant = ${tenant} and p.id = link.id and link.crm_id is not null
        and link.state <> 'superseded' and link.newest_plan = p.id
        and p.sent_at is null and p.outcome is null and least(p.crm_read_at, p.vendor_read_at) >= given.not_before
      returning p.id, p.key
    ), noted as (
      update links l set vendor_in_doubt = coalesce(given.uncertain, l.vendor_in_doubt), updated_at = given.at
      from sent join given using (id) where l.tenant = ${tenant} and l.key = sent.key
    )
    select id, crm_id is null as makes, exists (select from sent where sent.id = link.id) as left from link`.execute(
    store.db,
  );
  const leftOf = new Map(rows.map(({ id, makes, left }) => [id, makes ? null : left]));
  const first = new Set(updates);
  return given.map((one) => (first.has(one) ? (leftOf.get(one.planId) ?? null) : null));
};

async function sendInTransaction(
  store: Store,
  tenant: string,
  planId: string,
  { at, uncertain, notBefore }: Sending,
): Promise<boolean> {
  const link = await store.db
    .selectFrom('links')
    .innerJoin('plans', (join) => join.onRef('plans.tenant', '=', 'links.tenant').onRef('plans.key', '=', 'links.key'))
    .select(['links.key', 'links.state', 'links.crm_id', 'links.vendor_id', 'links.newest_plan'])
    .where('plans.tenant', '=', tenant)
    .where('plans.id', '=', planId)
    .forUpdate('links')
    .executeTakeFirst();
  if (link === undefined) throw noSuchPlan();
  if (link.state === 'superseded' || link.newest_plan !== planId) return false;
  if (uncertain === 'create' && link.vendor_id !== null) return false;
  const isCreate = uncertain === 'create' || link.crm_id === null;
  if (isCreate && (await isSeparated(store, tenant, link))) return false;
  const { numUpdatedRows } = await store.db
    .updateTable('plans')
    .set({ sent_at: at })
    .where('tenant', '=', tenant)
    .where('id', '=', planId)
    .where('sent_at', 'is', null)
    .where('outcome', 'is', null)
    .where((where) => where(where.fn('least', ['crm_read_at', 'vendor_read_at']), '>=', notBefore))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await store.db
    .updateTable('links')
    .set({ updated_at: at, ...(uncertain === null ? {} : { vendor_in_doubt: uncertain }) })
    .where('tenant', '=', tenant)
    .where('key', '=', link.key)
    .execute();
  return true;
}

function noSuchPlan(): LedgerError {
  return new LedgerError('UNKNOWN_PLAN', 'There is no such plan.');
}

/** Whether an operator separated the link's only record from another one. Then no second record is created on the other side. */
async function isSeparated(
  store: Store,
  tenant: string,
  { crm_id, vendor_id }: { readonly crm_id: string | null; readonly vendor_id: string | null },
): Promise<boolean> {
  const side = crm_id === null ? { vendorId: String(vendor_id) } : { crmId: crm_id };
  return (await barredFrom(store, tenant, side)).length > 0;
}
