import type { Insertable, Selectable } from 'kysely';
import type { Quota } from '../domain/loop/operation-groups.ts';
import type { QuotaTable } from './database.ts';
import type { QuotaKnown, QuotaVerdict } from './ledger.ts';
import { afterAnswer, type QuotaSeen, type QuotaWindow, takeOne } from './quota-window.ts';
import { inTransaction, plainly, type Store } from './store.ts';

type QuotaRow = Selectable<QuotaTable>;

/** Takes one request out of the known quota, one of bulk work where a share is given. */
export function reserveRequest(
  store: Store,
  tenant: string,
  quota: Quota,
  at: string,
  share?: number,
): Promise<QuotaVerdict> {
  return changed(store, tenant, quota, (row) => {
    if (row === undefined) return { verdict: { allowed: true }, next: null };
    const next = takeOne(toWindow(row), Date.parse(at), share);
    const verdict =
      next === null ? { allowed: false, until: row.window_end.toISOString() } : { allowed: true };
    return { verdict: verdict as QuotaVerdict, next };
  });
}

/** Feeds an answer's numbers. */
export async function reportQuota(
  store: Store,
  tenant: string,
  quota: Quota,
  seen: QuotaSeen,
): Promise<void> {
  await changed(store, tenant, quota, (row) => ({
    verdict: null,
    next: afterAnswer(row === undefined ? null : toWindow(row), seen),
  }));
}

/** What a request or an answer makes of the window; `next` is null where it stays. */
type Decision<Verdict> = { readonly verdict: Verdict; readonly next: QuotaWindow | null };

/**
 * Changes a window by what is known of it. Two statements where nobody else does so at the same time; else under a lock of
 * its row, where all wait for each other.
 */
async function changed<Verdict>(
  store: Store,
  tenant: string,
  quota: Quota,
  decide: (row: QuotaRow | undefined) => Decision<Verdict>,
): Promise<Verdict> {
  const row = await plainly(() => windowRow(store, tenant, quota).executeTakeFirst());
  const { verdict, next } = decide(row);
  if (next === null) return verdict;
  if (row !== undefined && (await plainly(() => saveWindow(store, row, next, 'as it was read'))))
    return verdict;
  return inTransaction(store, (tx) => changedLocked(tx, tenant, quota, decide));
}

/** Loses a race to the first answer ever by a unique key. */
async function changedLocked<Verdict>(
  store: Store,
  tenant: string,
  quota: Quota,
  decide: (row: QuotaRow | undefined) => Decision<Verdict>,
): Promise<Verdict> {
  const row = await windowRow(store, tenant, quota).forUpdate().executeTakeFirst();
  const { verdict, next } = decide(row);
  if (next === null) return verdict;
  if (row !== undefined) await saveWindow(store, row, next, 'locked');
  else
    await store.db
      .insertInto('quota')
      .values({ tenant, domain: quota, ...toColumns(next) })
      .execute();
  return verdict;
}

/** What is known of a tenant's quotas. */
export async function quotas(store: Store, tenant: string): Promise<readonly QuotaKnown[]> {
  const rows = await store.db.selectFrom('quota').selectAll().where('tenant', '=', tenant).execute();
  return rows.map((row) => ({
    quota: row.domain,
    limit: row.quota_limit,
    remaining: row.remaining,
    bulkUsed: row.bulk_used,
    until: row.window_end.toISOString(),
    seconds: row.window_seconds,
  }));
}

function windowRow({ db }: Store, tenant: string, quota: Quota) {
  return db.selectFrom('quota').selectAll().where('tenant', '=', tenant).where('domain', '=', quota);
}

/** False where somebody changed it since it was read, and nobody held it. */
async function saveWindow(
  { db }: Store,
  row: QuotaRow,
  next: QuotaWindow,
  held: 'as it was read' | 'locked',
): Promise<boolean> {
  const own = db
    .updateTable('quota')
    .set(toColumns(next))
    .where('tenant', '=', row.tenant)
    .where('domain', '=', row.domain);
  const { quota_limit, remaining, bulk_used, window_start, window_end, window_seconds, assumed } = row;
  const asRead = own
    .where('quota_limit', 'is not distinct from', quota_limit)
    .where('remaining', 'is not distinct from', remaining)
    .where('bulk_used', '=', bulk_used)
    .where('window_start', '=', window_start)
    .where('window_end', '=', window_end)
    .where('window_seconds', '=', window_seconds)
    .where('assumed', '=', assumed);
  const { numUpdatedRows } = await (held === 'locked' ? own : asRead).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

function toWindow(row: Selectable<QuotaTable>): QuotaWindow {
  return {
    limit: row.quota_limit,
    remaining: row.remaining,
    bulkUsed: row.bulk_used,
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
    bulk_used: window.bulkUsed,
    window_start: new Date(window.startMs).toISOString(),
    window_end: new Date(window.endMs).toISOString(),
    window_seconds: window.seconds,
    assumed: window.assumed,
  };
}
