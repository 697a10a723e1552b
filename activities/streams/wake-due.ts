import { isRemoteHealthy, REMOTE_HEALTH } from '../../src/domain/loop/remote-health.ts';
import { stoppedBy } from '../../src/domain/streams/work.ts';
import { createNotifyWaiting } from '../outage/notify-waiting.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';

/**
 * If a record has been due for a sync for this long, in ms, Lockstep assumes that the signal to its workflow, or the workflow itself, was
 * lost. It then wakes (signals or starts) the workflow again.
 */
const OVERDUE_MS = 120_000;
const OVERDUE_BATCH = 200;
/**
 * The number of overdue records (due for a sync for too long) whose workflows are woken (signalled or started), for each second of the poll
 * interval. The limit keeps a change of many records from waking all their workflows at once.
 */
const OVERDUE_PER_SECOND = 5;
/** The number of records whose workflows are woken (signalled or started) per second after an outage. */
const DRAIN_BATCH = 20;
/**
 * The fraction of the usual number of overdue records whose workflows are woken (signalled or started) while the tenant's remote systems
 * fail. It is small, because most of these records would fail again.
 */
const PART_OF_FAILING = 1 / 10;

/**
 * A tenant's regular upkeep. It wakes (signals or starts) the workflows of overdue records and of records whose retry is due, notifies CRM
 * users of waiting changes, requests due notices to owners, and deletes rows past their retention. Returns how many workflows it woke.
 */
export function createWakeOverdue(deps: ActivityDeps) {
  const notifyWaiting = createNotifyWaiting(deps);
  return async function wakeOverdue({ tenant }: TenantArgs): Promise<{ woken: number }> {
    const now = Date.parse(deps.now());
    await deps.ledger.keepRetention(tenant, deps.runtime(tenant).tenant.retention, deps.now());
    await notifyWaiting({ tenant });
    if (await deps.ledger.hasDealNews(tenant, deps.now())) await deps.requestNotices?.(tenant);
    const before = new Date(now - OVERDUE_MS).toISOString();
    const usual = overdueBatch(deps.runtime(tenant).tenant.vendor.poll.everyMs);
    const most = await mostNow(deps, tenant, usual);
    if (most === 0) return { woken: 0 };
    const overdue = await wakeDue(deps, tenant, most, before);
    return { woken: overdue + (await wakeRetries(deps, tenant, most)) };
  };
}

/** The maximum number of overdue records whose workflows are woken at once, computed from the poll interval in milliseconds. */
export function overdueBatch(everyMs: number): number {
  return Math.min(OVERDUE_BATCH, Math.ceil((everyMs / 1000) * OVERDUE_PER_SECOND));
}

/**
 * Wakes (signals or starts) workflows that were not woken when their records became due (to be synced), because the read that marked these
 * records was interrupted. Considers records that became due until `before`, and stops after about `most` of them. Resolves to false if
 * further workflows must be woken now. Resolves to true if all were woken, or if a pause stops the workflows anyway.
 */
export async function wakeUnwoken(deps: ActivityDeps, tenant: string, most: number, before: string): Promise<boolean> {
  for (let woken = 0; woken < most; ) {
    if (stoppedBy(await deps.ledger.pauses(tenant), 'records') !== undefined) return true;
    const batch = await wakeDue(deps, tenant, OVERDUE_BATCH, before);
    if (batch < OVERDUE_BATCH) return true;
    woken += batch;
  }
  return false;
}

/** Wakes the workflows of a limited number of records that waited for the end of an outage. */
export function createDrainDue(deps: ActivityDeps) {
  return async function drainDue({
    tenant,
    before,
  }: TenantArgs & { readonly before: string }): Promise<{ woken: number; more: boolean }> {
    const most = await mostNow(deps, tenant, DRAIN_BATCH);
    const woken = most === 0 ? 0 : await wakeDue(deps, tenant, most, before);
    return { woken, more: most > 0 && woken === most };
  };
}

/** How many records' workflows may be woken now, `usual` at most: none while the tenant is paused, few while its remote systems fail. */
async function mostNow({ ledger }: ActivityDeps, tenant: string, usual: number): Promise<number> {
  const { pauses, positions } = await ledger.pausesAndCursors(tenant, [REMOTE_HEALTH]);
  if (stoppedBy(pauses, 'records') !== undefined) return 0;
  return isRemoteHealthy(positions[0]) === false ? Math.ceil(usual * PART_OF_FAILING) : usual;
}

async function wakeRetries(deps: ActivityDeps, tenant: string, most: number): Promise<number> {
  const keys = await deps.ledger.markRetries(tenant, deps.now(), most);
  await deps.wake(tenant, keys, 'any');
  return keys.length;
}

async function wakeDue(deps: ActivityDeps, tenant: string, limit: number, before: string): Promise<number> {
  const keys = await deps.ledger.dueKeys(tenant, limit, before);
  if (keys.length === 0) return 0;
  await deps.wake(tenant, keys, 'any', { isAgain: true });
  await deps.ledger.markWoken(tenant, keys, deps.now());
  return keys.length;
}
