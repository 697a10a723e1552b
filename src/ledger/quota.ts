import type { Insertable, Selectable } from 'kysely';
import type { QuotaTable } from './database.ts';
import type { OperationGroup, QuotaVerdict } from './ledger.ts';
import { afterAnswer, type QuotaSeen, type QuotaWindow, takeOne } from './quota-window.ts';
import type { Store } from './store.ts';

/** Takes one request out of the known quota under a lock of its row; runs inside a transaction. */
export async function reserveRequest(
  store: Store,
  tenant: string,
  group: OperationGroup,
  at: string,
): Promise<QuotaVerdict> {
  const row = await lockRow(store, tenant, group);
  if (row === undefined) return { allowed: true };
  const known = toWindow(row);
  const next = takeOne(known, Date.parse(at));
  if (next === null) return { allowed: false, until: row.window_end.toISOString() };
  if (next !== known) await saveWindow(store, tenant, group, next);
  return { allowed: true };
}

/** Feeds an answer's numbers; runs inside a transaction. Loses a race to the first answer ever by a unique key. */
export async function reportQuota(
  store: Store,
  tenant: string,
  group: OperationGroup,
  seen: QuotaSeen,
): Promise<void> {
  const row = await lockRow(store, tenant, group);
  const next = afterAnswer(row === undefined ? null : toWindow(row), seen);
  if (row !== undefined) return saveWindow(store, tenant, group, next);
  await store.db
    .insertInto('quota')
    .values({ tenant, domain: group, ...toColumns(next) })
    .execute();
}

async function lockRow(
  store: Store,
  tenant: string,
  group: OperationGroup,
): Promise<Selectable<QuotaTable> | undefined> {
  return store.db
    .selectFrom('quota')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('domain', '=', group)
    .forUpdate()
    .executeTakeFirst();
}

async function saveWindow(
  store: Store,
  tenant: string,
  group: OperationGroup,
  window: QuotaWindow,
): Promise<void> {
  await store.db
    .updateTable('quota')
    .set(toColumns(window))
    .where('tenant', '=', tenant)
    .where('domain', '=', group)
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
