import type { Insertable, Selectable } from 'kysely';
import type { Quota } from '../domain/loop/operation-groups.ts';
import type { QuotaTable } from './database.ts';
import type { QuotaKnown, QuotaVerdict } from './ledger.ts';
import { afterAnswer, type QuotaSeen, type QuotaWindow, takeOne } from './quota-window.ts';
import type { Store } from './store.ts';

/** Takes one request out of the known quota under a lock of its row; runs inside a transaction. */
export async function reserveRequest(
  store: Store,
  tenant: string,
  quota: Quota,
  at: string,
): Promise<QuotaVerdict> {
  const row = await lockRow(store, tenant, quota);
  if (row === undefined) return { allowed: true };
  const known = toWindow(row);
  const next = takeOne(known, Date.parse(at));
  if (next === null) return { allowed: false, until: row.window_end.toISOString() };
  if (next !== known) await saveWindow(store, tenant, quota, next);
  return { allowed: true };
}

/** Feeds an answer's numbers; runs inside a transaction. Loses a race to the first answer ever by a unique key. */
export async function reportQuota(
  store: Store,
  tenant: string,
  quota: Quota,
  seen: QuotaSeen,
): Promise<void> {
  const row = await lockRow(store, tenant, quota);
  const next = afterAnswer(row === undefined ? null : toWindow(row), seen);
  if (row !== undefined) return saveWindow(store, tenant, quota, next);
  await store.db
    .insertInto('quota')
    .values({ tenant, domain: quota, ...toColumns(next) })
    .execute();
}

/** What is known of a tenant's quotas. */
export async function quotas(store: Store, tenant: string): Promise<readonly QuotaKnown[]> {
  const rows = await store.db.selectFrom('quota').selectAll().where('tenant', '=', tenant).execute();
  return rows.map(({ domain, quota_limit: limit, remaining, window_end, window_seconds: seconds }) => ({
    quota: domain,
    limit,
    remaining,
    until: window_end.toISOString(),
    seconds,
  }));
}

async function lockRow(
  store: Store,
  tenant: string,
  quota: Quota,
): Promise<Selectable<QuotaTable> | undefined> {
  return store.db
    .selectFrom('quota')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('domain', '=', quota)
    .forUpdate()
    .executeTakeFirst();
}

async function saveWindow(store: Store, tenant: string, quota: Quota, window: QuotaWindow): Promise<void> {
  await store.db
    .updateTable('quota')
    .set(toColumns(window))
    .where('tenant', '=', tenant)
    .where('domain', '=', quota)
    .execute();
}

function toWindow(row: Selectable<QuotaTable>): QuotaWindow {
  return {
    limit: row.quota_limit,
    remaining: row.remaining,
    startMs: row.window_start.getTime(),
    endMs: row.window_end.getTime(),
    seconds: row.window_seconds,
    assumed: row.assumed,
  };
}

function toColumns(window: QuotaWindow): Omit<Insertable<QuotaTable>, 'tenant' | 'domain'> {
  return {
    quota_limit: window.limit,
    remaining: window.remaining,
    window_start: new Date(window.startMs).toISOString(),
    window_end: new Date(window.endMs).toISOString(),
    window_seconds: window.seconds,
    assumed: window.assumed,
  };
}
