import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { CrmGraph } from '../../domain/record/crm-graph.ts';
import { firstOfEach } from '../core/first-of-each.ts';
import { hex, openOrNull, place, sealOrNull } from '../core/sealer.ts';
import { despiteRaces, inTransaction, type Statement, type Store } from '../core/store.ts';
import { LedgerError } from '../ledger-error.ts';
import { barredFrom } from '../links/barred-pairs.ts';
import { changedAt, isAs } from '../links/link-version.ts';
import type { PlanLedger, Sending, SettledPlan, StoredPlan } from './plan-ledger.ts';

/**
 * Stores a plan (a decision with the values to send) with one statement, if the link still has the expected version. Throws LedgerError
 * `CHANGED` if the link has another version, and `23503` if the link does not exist.
 */
export const savePlan: Statement<PlanLedger, 'savePlan'> = async (store, tenant, plan, expected) => {
  const id = randomUUID();
  const graph = sealOrNull(store.sealer, plan.graph, place(tenant, 'plans', 'graph', id));
  const sealed = store.sealer.seal(plan.plan, place(tenant, 'plans', 'plan', id));
  const asExpected = expected === undefined ? sql`` : sql`and ${isAs(expected)}`;
  const { rows } = await sql<{ readonly id: string }>`
    with link as (
      update links set newest_plan = ${id} where tenant = ${tenant} and key = ${plan.key} ${asExpected} returning key
    )
    insert into plans (tenant, id, key, created_at, crm_read_at, vendor_read_at, graph, generation, next, plan)
    select ${tenant}, ${id}, key, ${plan.createdAt}::timestamptz, ${plan.crmReadAt}::timestamptz,
      ${plan.vendorReadAt}::timestamptz, ${graph}::bytea, ${plan.generation}::integer, ${plan.plan.next}, ${sealed}::bytea
    from link returning id`.execute(store.db);
  if (rows.length > 0) return id;
  throw await notSaved(store, tenant, plan.key);
};

const SETTLED: SettledPlan = { next: 'settled' };

/**
 * Columns to set on a plan once its outcome is known. The planned values are deleted, because the link's base (last agreed values) and
 * journal now contain them.
 */
export function settledColumns(store: Store, tenant: string, planId: string, outcome = 'settled') {
  return { outcome, graph: null, plan: planWithoutValues(store, tenant, planId) };
}

/** The encrypted content of a plan without its values, because the link stores them, or because they are not needed any more. */
export function planWithoutValues({ sealer }: Store, tenant: string, planId: string): Buffer {
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

export const loadPlan: Statement<PlanLedger, 'loadPlan'> = async (store, tenant, id) => {
  const row = await store.db
    .selectFrom('plans')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    tenant: row.tenant,
    key: row.key,
    createdAt: row.created_at.toISOString(),
    crmReadAt: row.crm_read_at?.toISOString() ?? null,
    vendorReadAt: row.vendor_read_at?.toISOString() ?? null,
    graph: openOrNull<CrmGraph>(store.sealer, row.graph, place(tenant, 'plans', 'graph', id)),
    generation: row.generation,
    plan: store.sealer.open(row.plan, place(tenant, 'plans', 'plan', id)) as StoredPlan['plan'],
    sentAt: row.sent_at?.toISOString() ?? null,
    outcome: row.outcome,
  };
};

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
 * Marks a plan's write as about to be sent, and raises the version of the link (the stored pair of records), so that stalled writers are
 * refused. Of several callers, at most one gets true. Returns false in these cases:
 * - the plan has an outcome, rests on old readings, or is not the newest of its link;
 * - the link is superseded (another link has its deal now);
 * - a create at the vendor, and the link already has a vendor record;
 * - a create in one system, and an operator has separated the link's record from a record of that system.
 */
export async function markSent(store: Store, tenant: string, planId: string, sending: Sending): Promise<boolean> {
  if (sending.uncertain !== 'create') {
    const left = await sendInOneStatement(store, tenant, planId, sending);
    if (left !== 'makes a record') return left;
  }
  return inTransaction(store, (tx) => sendInTransaction(tx, tenant, planId, sending));
}

/**
 * Stores the plans of updates that are about to be sent. Leaves out the planned values, because Lockstep stores them in the link's base
 * (beside the last agreed values) before it sends the request. A plan is stored only if its link has an opportunity and still has the
 * expected version. Because of the version, no newer plan is overwritten and no plan is sent twice. A superseded link has no opportunity,
 * so it gets no plan. Of several plans of one link, only the first is stored.
 */
export const sendPlans: Statement<PlanLedger, 'sendPlans'> = async (store, tenant, planned) => {
  const given = firstOfEach(planned, ({ plan }) => plan.key);
  const rows = given.map(({ id, plan, sending, expected }) => ({
    ...{
      id,
      key: plan.key,
      created_at: plan.createdAt,
      crm_read_at: plan.crmReadAt,
      vendor_read_at: plan.vendorReadAt,
    },
    ...{ generation: plan.generation, next: plan.plan.next, plan: hex(planWithoutValues(store, tenant, id)) },
    ...{ sent_at: sending.at, not_before: sending.notBefore, uncertain: sending.uncertain },
    ...{ expected_version: expected.version, expected_plan: expected.newestPlan ?? null },
  }));
  const { rows: sent } = await sql<{ readonly id: string }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as one (
        id text, key text, created_at timestamptz, crm_read_at timestamptz, vendor_read_at timestamptz, generation integer,
        next text, plan bytea, sent_at timestamptz, not_before timestamptz, uncertain text, expected_version integer, expected_plan text)
    ), chosen as (
      select l.key from links l join given on given.key = l.key
      where l.tenant = ${tenant} and l.key = any(${rows.map(({ key }) => key)}::text[])
        and l.version = given.expected_version
        and l.newest_plan is not distinct from given.expected_plan and l.crm_id is not null
        and least(given.crm_read_at, given.vendor_read_at) >= given.not_before
      order by l.key for no key update of l
    ), link as (
      update links l set newest_plan = given.id, updated_at = given.sent_at, version = l.version + 1,
        vendor_in_doubt = coalesce(given.uncertain, l.vendor_in_doubt)
      from chosen join given using (key) where l.tenant = ${tenant} and l.key = chosen.key
    )
    insert into plans (tenant, id, key, created_at, crm_read_at, vendor_read_at, generation, next, plan, sent_at)
    select ${tenant}, id, key, created_at, crm_read_at, vendor_read_at, generation, next, plan, sent_at
    from given join chosen using (key) returning id`.execute(store.db);
  const ids = new Set(sent.map(({ id }) => id));
  return planned.map(({ id }) => ids.has(id));
};

export const sendPlan: Statement<PlanLedger, 'sendPlan'> = async (store, tenant, planned) => {
  const [isSent = false] = await sendPlans(store, tenant, [planned]);
  return isSent;
};

/**
 * Stores that a plan's write is about to be sent, with one statement that also locks the rows and checks the conditions. Each system that
 * was read for the plan must have been read at `notBefore` or later, so the earlier of the two read times is compared. The read time of a
 * system that the plan did not need is null; SQL's `least` ignores null. Returns `makes a record` for a plan that creates an opportunity,
 * because this needs more checks.
 */
async function sendInOneStatement(
  store: Store,
  tenant: string,
  planId: string,
  { at, uncertain, notBefore, version }: Sending,
): Promise<boolean | 'makes a record'> {
  const { rows } = await despiteRaces(() =>
    sql<{ readonly makes: boolean; readonly left: boolean }>`
    with link as (
      select l.key, l.state, l.crm_id, l.newest_plan, l.version from links l join plans p on p.tenant = l.tenant and p.key = l.key
      where p.tenant = ${tenant} and p.id = ${planId} for no key update of l
    ), sent as (
      update plans p set sent_at = ${at}::timestamptz from link
      where p.tenant = ${tenant} and p.id = ${planId} and link.crm_id is not null
        and link.state <> 'superseded' and link.newest_plan = p.id and link.version = coalesce(${version ?? null}, link.version)
        and p.sent_at is null and p.outcome is null and least(p.crm_read_at, p.vendor_read_at) >= ${notBefore}::timestamptz
      returning p.key
    ), noted as (
      update links l set vendor_in_doubt = coalesce(${uncertain}, l.vendor_in_doubt),
        updated_at = ${at}::timestamptz, version = l.version + 1 from sent
      where l.tenant = ${tenant} and l.key = sent.key
    )
    select crm_id is null as makes, exists (select from sent) as left from link`.execute(store.db),
  );
  const [found] = rows;
  if (found === undefined) throw noSuchPlan();
  return found.makes ? 'makes a record' : found.left;
}

async function sendInTransaction(
  store: Store,
  tenant: string,
  planId: string,
  { at, uncertain, notBefore, version }: Sending,
): Promise<boolean> {
  const link = await store.db
    .selectFrom('links')
    .innerJoin('plans', (join) => join.onRef('plans.tenant', '=', 'links.tenant').onRef('plans.key', '=', 'links.key'))
    .select(['links.key', 'links.state', 'links.crm_id', 'links.vendor_id', 'links.newest_plan', 'links.version'])
    .where('plans.tenant', '=', tenant)
    .where('plans.id', '=', planId)
    .forUpdate('links')
    .executeTakeFirst();
  if (link === undefined) throw noSuchPlan();
  if (link.state === 'superseded' || link.newest_plan !== planId) return false;
  if (version !== undefined && link.version !== version) return false;
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
    .set({ ...changedAt(at), ...(uncertain === null ? {} : { vendor_in_doubt: uncertain }) })
    .where('tenant', '=', tenant)
    .where('key', '=', link.key)
    .execute();
  return true;
}

function noSuchPlan(): LedgerError {
  return new LedgerError('UNKNOWN_PLAN', 'There is no such plan.');
}

/**
 * Whether the link has only one record, and an operator separated this record from a record of the other system (`lockstep unlink`).
 * Lockstep then creates no counterpart for it in the other system.
 */
async function isSeparated(
  store: Store,
  tenant: string,
  { crm_id, vendor_id }: { readonly crm_id: string | null; readonly vendor_id: string | null },
): Promise<boolean> {
  const side = crm_id === null ? { vendorId: String(vendor_id) } : { crmId: crm_id };
  return (await barredFrom(store, tenant, side)).length > 0;
}
