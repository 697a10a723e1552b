import {
  afterSearch,
  firstVendorCursor,
  isOverlapDue,
  nextPeriod,
  overlapOf,
  type Period,
  type VendorCursor,
} from '../../src/domain/streams/vendor-cursor.ts';
import { foundIds } from '../../src/partner-api/index.ts';
import type { ActivityDeps, TenantArgs, TenantRuntime } from '../support/deps.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { type ChangeStream, type StreamRun, takeInChanges } from './stream.ts';

/** One search is one activity, so that it is limited and seen as every request to the vendor is. */
const RUN: StreamRun = { work: 'vendor-changes', cause: 'vendor', pages: 1 };
const STREAM = { name: 'vendor-changes', first: firstVendorCursor } as const;

/** Searches the next period; `overlapDue` when the stretch behind it is to be searched again. */
export function createSearchVendorChanges(deps: ActivityDeps) {
  return async function searchVendorChanges({
    tenant,
  }: TenantArgs): Promise<{ found: number; more: boolean; overlapDue: boolean }> {
    const runtime = deps.runtime(tenant);
    const { found, more, cursors } = await takeInChanges(deps, tenant, [changesOf(deps, runtime)], RUN);
    const { overlapMs } = runtime.tenant.vendor.poll;
    return { found, more, overlapDue: cursors.some((cursor) => isOverlapDue(cursor, overlapMs)) };
  };
}

/** Searches the stretch behind the cursor once more. */
export function createSearchVendorOverlap(deps: ActivityDeps) {
  return async function searchVendorOverlap({ tenant }: TenantArgs): Promise<{ found: number }> {
    const { found } = await takeInChanges(deps, tenant, [lateChangesOf(deps, deps.runtime(tenant))], RUN);
    return { found };
  };
}

function changesOf(deps: ActivityDeps, runtime: TenantRuntime): ChangeStream<VendorCursor> {
  return {
    ...STREAM,
    readPage: async (cursor) => {
      const sentAt = deps.now();
      const period = nextPeriod(cursor, sentAt);
      const { ids, vendorNow } = await search(deps, runtime, period);
      return { ids: asLinks(ids), ...afterSearch(cursor, period, { vendorNow, sentAt }) };
    },
  };
}

/** The same cursor; only records that were not read since the search before can have changed unseen. */
function lateChangesOf(deps: ActivityDeps, runtime: TenantRuntime): ChangeStream<VendorCursor> {
  const { tenant, vendor } = runtime.tenant;
  return {
    ...STREAM,
    readPage: async (cursor) => {
      const { period, after } = overlapOf(cursor, vendor.poll.overlapMs);
      const { ids } = await search(deps, runtime, period);
      const { overlapUntil, searchedAt } = cursor;
      const unread = await deps.ledger.vendorIdsNotReadSince(tenant, ids, overlapUntil, searchedAt);
      return { ids: asLinks(unread), cursor: after, more: false };
    },
  };
}

async function search(
  deps: ActivityDeps,
  { tenant, vendor }: TenantRuntime,
  modifiedDate: Period,
): Promise<{ readonly ids: readonly string[]; readonly vendorNow: string | null }> {
  const answer = await vendorRequest(deps, tenant.tenant, 'vendor-sales', (signal) =>
    vendor.searchLeadOpportunities({ data: [{ modifiedDate }] }, { signal }),
  );
  const told = answer.info.timestamp;
  const vendorNow = told !== null && !Number.isNaN(Date.parse(told)) ? told : answer.date;
  return { ids: foundIds(answer.data), vendorNow };
}

function asLinks(vendorIds: readonly string[]): readonly { readonly vendorId: string }[] {
  return vendorIds.map((vendorId) => ({ vendorId }));
}
