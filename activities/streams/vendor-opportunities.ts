import {
  afterSearch,
  firstPeriodCursor,
  nextSearch,
  type Period,
  type PeriodCursor,
} from '../../src/domain/streams/period-cursor.ts';
import { foundIds } from '../../src/partner-api/index.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { type ChangedOpportunity, dueOpportunities } from './due-opportunities.ts';
import { type ChangeStream, readInto, type StreamSource } from './stream.ts';

/** Searches the lead-opportunities that changed at the vendor, period by period, and wakes each once. */
export const vendorOpportunities: StreamSource = (deps, runtime) => {
  const { tenant } = runtime.tenant;
  return readInto(deps, tenant, [changesOf(deps, runtime)], dueOpportunities(deps, tenant, 'vendor'));
};

function changesOf(
  deps: ActivityDeps,
  runtime: TenantRuntime,
): ChangeStream<PeriodCursor, ChangedOpportunity> {
  const { tenant, vendor } = runtime.tenant;
  const { overlapMs } = vendor.poll;
  return {
    name: 'vendor-opportunities',
    first: firstPeriodCursor,
    readPage: async (cursor) => {
      const sentAt = deps.now();
      const next = nextSearch(cursor, sentAt, overlapMs);
      const { ids, vendorNow } = await search(deps, runtime, next.period);
      const after = afterSearch(cursor, next, { vendorNow, sentAt, overlapMs });
      const { overlapUntil, searchedAt } = cursor;
      // Only records that were not read since the search before can have changed unseen.
      const unread = next.isOverlap
        ? await deps.ledger.vendorIdsNotReadSince(tenant, ids, overlapUntil, searchedAt)
        : ids;
      return { items: unread.map((vendorId) => ({ opportunity: { vendorId } })), ...after };
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
