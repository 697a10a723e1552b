import { foundIds } from '../../src/partner-api/index.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantArgs, TenantRuntime } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { wakeUnwoken } from './wake-due.ts';

/** How far a tenant's changes have been read. Instants by the vendor's clock. */
export type VendorCursor = {
  readonly until: string;
  /** The stretch behind `until` was searched again up to here, for changes that became visible late. */
  readonly overlapUntil: string;
  /** When the search up to `until` was sent, by our clock: what was marked due since is yet to be read. */
  readonly searchedAt?: string;
  /** Records were marked due with this cursor, and not all of them are known to have been woken. */
  readonly unwoken?: true;
};

const VENDOR_STREAM = 'vendor-changes';

const DAY_MS = 86_400_000;
/** Changes of this long before the first poll are taken in; older ones are a backfill's work. */
const FIRST_LOOK_BACK_MS = DAY_MS;
const LONGEST_WINDOW_MS = DAY_MS;
/** The vendor's clock may be ahead of ours. */
const CLOCK_MARGIN_MS = 300_000;
/** Taken off our own clock where the vendor tells no time at all. */
const UNKNOWN_CLOCK_MS = 120_000;

/**
 * One search of the next window (sales spec 4.4). The cursor moves, in the same transaction that marks the found
 * records due, to the vendor's own time of the answer: nothing after it can have been shown yet.
 */
export function createSearchVendorChanges(deps: ActivityDeps) {
  return async function searchVendorChanges({
    tenant,
  }: TenantArgs): Promise<{ found: number; more: boolean; overlapDue: boolean }> {
    await refuseWhilePaused(deps, tenant, 'vendor-changes');
    const runtime = deps.runtime(tenant);
    const now = Date.parse(deps.now());
    const cursor = await cursorOf(deps, tenant, now - FIRST_LOOK_BACK_MS);
    if (cursor.unwoken === true) await wakeUnwoken(deps, tenant);
    const from = Date.parse(cursor.until);
    const to = Math.min(from + LONGEST_WINDOW_MS, now + CLOCK_MARGIN_MS);
    const { ids, clock } = await search(deps, runtime, iso(from), iso(to));
    const vendorNow = clock === null ? now - UNKNOWN_CLOCK_MS : Date.parse(clock);
    const until = Math.max(from, Math.min(to, vendorNow));
    const next = { until: iso(until), overlapUntil: cursor.overlapUntil, searchedAt: iso(now) };
    await takeIn(deps, tenant, ids, next);
    const overlapDue = until - Date.parse(cursor.overlapUntil) >= runtime.tenant.vendor.poll.overlapMs;
    return { found: ids.length, more: to < vendorNow, overlapDue };
  };
}

/**
 * Searches the stretch before the cursor once more. Only records that were not read since can have changed unseen.
 */
export function createSearchVendorOverlap(deps: ActivityDeps) {
  return async function searchVendorOverlap({ tenant }: TenantArgs): Promise<{ found: number }> {
    await refuseWhilePaused(deps, tenant, 'vendor-changes');
    const runtime = deps.runtime(tenant);
    const cursor = await cursorOf(deps, tenant, Date.parse(deps.now()));
    const from = Date.parse(cursor.overlapUntil) - runtime.tenant.vendor.poll.overlapMs;
    const { ids } = await search(deps, runtime, iso(from), cursor.until);
    const { overlapUntil, searchedAt } = cursor;
    const unseen = await deps.ledger.vendorIdsNotReadSince(tenant, ids, overlapUntil, searchedAt);
    // What an earlier attempt left unwoken stays noted: the next search wakes it.
    await takeIn(deps, tenant, unseen, { ...cursor, overlapUntil: cursor.until });
    return { found: unseen.length };
  };
}

async function search(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  fromDate: string,
  toDate: string,
): Promise<{ readonly ids: readonly string[]; readonly clock: string | null }> {
  try {
    const answer = await vendorRequest(deps, runtime.tenant.tenant, 'vendor-sales', (signal) =>
      runtime.vendor.searchLeadOpportunities({ data: [{ modifiedDate: { fromDate, toDate } }] }, { signal }),
    );
    const told = answer.info.timestamp;
    const clock = told !== null && !Number.isNaN(Date.parse(told)) ? told : answer.date;
    return { ids: foundIds(answer.data), clock };
  } catch (error) {
    throw toFailure(error);
  }
}

async function takeIn(
  deps: ActivityDeps,
  tenant: string,
  vendorIds: readonly string[],
  cursor: VendorCursor,
): Promise<void> {
  const at = deps.now();
  const ids = vendorIds.map((vendorId) => ({ vendorId }));
  const position: VendorCursor = ids.length === 0 ? cursor : { ...cursor, unwoken: true };
  const keys = await deps.ledger.markDue(tenant, ids, at, { stream: VENDOR_STREAM, position });
  if (keys.length === 0) return;
  await deps.wake(tenant, keys, 'vendor');
  await deps.ledger.saveCursor(tenant, VENDOR_STREAM, cursor, deps.now());
}

async function cursorOf(deps: ActivityDeps, tenant: string, firstMs: number): Promise<VendorCursor> {
  const stored = (await deps.ledger.cursor(tenant, VENDOR_STREAM)) as VendorCursor | null;
  return stored ?? { until: iso(firstMs), overlapUntil: iso(firstMs) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
