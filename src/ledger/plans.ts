import { randomUUID } from 'node:crypto';
import type { CrmGraph } from '../domain/record/crm-graph.ts';
import type { Plan } from '../domain/record/plan.ts';
import { barredFrom } from './barred-pairs.ts';
import type { LinkVersion, Sending, StoredPlan } from './ledger.ts';
import { LedgerError } from './ledger-error.ts';
import { requireSame } from './link-version.ts';
import { openOrNull, place, sealOrNull } from './sealer.ts';
import type { Store } from './store.ts';

export type NewPlan = Omit<StoredPlan, 'id' | 'tenant' | 'sentAt' | 'outcome'>;

/**
 * Stores a plan, which is its link's newest from now on, and returns its id. Throws LedgerError `23503` when there is no
 * such link. Runs inside a transaction.
 */
export async function savePlan(
  store: Store,
  tenant: string,
  plan: NewPlan,
  expected?: LinkVersion,
): Promise<string> {
  const id = randomUUID();
  if (expected !== undefined) await requireVersion(store, tenant, plan.key, expected);
  await store.db
    .updateTable('links')
    .set({ newest_plan: id })
    .where('tenant', '=', tenant)
    .where('key', '=', plan.key)
    .execute();
  await store.db
    .insertInto('plans')
    .values({
      tenant,
      id,
      key: plan.key,
      created_at: plan.createdAt,
      crm_read_at: plan.crmReadAt,
      vendor_read_at: plan.vendorReadAt,
      graph: sealOrNull(store.sealer, plan.graph, place(tenant, 'plans', 'graph', id)),
      due_seq: plan.dueSeq,
      next: plan.plan.next,
      plan: store.sealer.seal(plan.plan, place(tenant, 'plans', 'plan', id)),
    })
    .execute();
  return id;
}

async function requireVersion(
  store: Store,
  tenant: string,
  key: string,
  expected: LinkVersion,
): Promise<void> {
  const row = await store.db
    .selectFrom('links')
    .select(['updated_at', 'newest_plan'])
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst();
  if (row !== undefined) requireSame(row, expected);
}

export async function loadPlan(store: Store, tenant: string, id: string): Promise<StoredPlan | null> {
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
    dueSeq: row.due_seq,
    plan: store.sealer.open(row.plan, place(tenant, 'plans', 'plan', id)) as Plan,
    sentAt: row.sent_at?.toISOString() ?? null,
    outcome: row.outcome,
  };
}

/** When a write of the link left last, ISO; null where none is known. */
export async function lastSentAt(store: Store, tenant: string, key: string): Promise<string | null> {
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
}

/**
 * Compare and set: true for exactly one caller per plan, and only while the plan is its link's newest, fresh and unsettled
 * and the link was not superseded by another; a create only while its link has no counterpart, and was not separated from
 * one. A late hand, whose worker was paused, finds that another has observed since. The link is locked before the plan, as `settle` does. Runs inside a
 * transaction.
 */
export async function markSent(
  store: Store,
  tenant: string,
  planId: string,
  { at, uncertain, notBefore }: Sending,
): Promise<boolean> {
  const link = await store.db
    .selectFrom('links')
    .innerJoin('plans', (join) =>
      join.onRef('plans.tenant', '=', 'links.tenant').onRef('plans.key', '=', 'links.key'),
    )
    .select(['links.key', 'links.state', 'links.crm_id', 'links.vendor_id', 'links.newest_plan'])
    .where('plans.tenant', '=', tenant)
    .where('plans.id', '=', planId)
    .forUpdate('links')
    .executeTakeFirst();
  if (link === undefined) throw new LedgerError('UNKNOWN_PLAN', 'There is no such plan.');
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
    // `least` takes no notice of the side that the plan does not rest on.
    .where((where) => where(where.fn('least', ['crm_read_at', 'vendor_read_at']), '>=', notBefore))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  if (uncertain === null) return true;
  await store.db
    .updateTable('links')
    .set({ vendor_uncertain: uncertain, updated_at: at })
    .where('tenant', '=', tenant)
    .where('key', '=', link.key)
    .execute();
  return true;
}

/** Whether a person has separated the one record of a link from one of the other side: then it is not made there a second time. */
async function isSeparated(
  store: Store,
  tenant: string,
  { crm_id, vendor_id }: { readonly crm_id: string | null; readonly vendor_id: string | null },
): Promise<boolean> {
  const side = crm_id === null ? { vendorId: String(vendor_id) } : { crmId: crm_id };
  return (await barredFrom(store, tenant, side)).length > 0;
}
