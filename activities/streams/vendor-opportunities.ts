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
import { vendorTime } from '../support/vendor-time.ts';
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
      const next = nextSearch(cursor, deps.now(), overlapMs);
      const { ids, vendorNow } = await search(deps, runtime, next.period);
      const after = afterSearch(cursor, next, { vendorNow, answeredAt: deps.now() }, overlapMs);
      const { answeredAt } = cursor;
      // A reading shows what it shows: only one that comes after the whole period was past for the overlap is enough.
      const unread =
        next.kind === 'late' && answeredAt !== undefined
          ? await deps.ledger.vendorIdsNotMarkedSince(tenant, ids, answeredAt)
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
  return { ids: foundIds(answer.data), vendorNow: vendorTime(answer) };
}
