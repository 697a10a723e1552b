import { isVendorId } from '../../src/domain/record/vendor-id.ts';
import type { Period } from '../../src/domain/streams/period-cursor.ts';
import { STREAMS } from '../../src/domain/streams/streams.ts';
import { foundIds } from '../../src/partner-api/index.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { vendorTime } from '../support/vendor-time.ts';
import { dueOpportunities } from './due-opportunities.ts';
import { readInto, type StreamSource } from './stream.ts';
import { type FoundRows, vendorPeriods } from './vendor-periods.ts';

type ChangedAtVendor = { readonly opportunity: { readonly vendorId: string } };

/** Searches the lead-opportunities that changed at the vendor, period by period, and wakes each once. */
export const vendorOpportunities: StreamSource = (deps, runtime) => {
  const { tenant, vendor } = runtime.tenant;
  const changes = vendorPeriods<ChangedAtVendor>(deps, {
    name: STREAMS.pollVendor.cursor,
    longestMs: 86_400_000,
    overlapMs: vendor.poll.overlapMs,
    sharedMs: 0,
    search: (period) => search(deps, runtime, period),
    notTakenSince: async (items, since) => {
      const ids = items.map(({ opportunity }) => opportunity.vendorId);
      return changed(await deps.ledger.vendorIdsNotMarkedSince(tenant, ids, since));
    },
  });
  return readInto(deps, tenant, [changes], dueOpportunities(deps, tenant, 'vendor'));
};

/** A search has no pages: it tells the ids of all that it finds (sales spec 4.4). */
async function search(
  deps: ActivityDeps,
  { tenant, vendor }: TenantRuntime,
  modifiedDate: Period,
): Promise<FoundRows<ChangedAtVendor>> {
  const answer = await vendorRequest(deps, tenant.tenant, 'vendor-sales', (signal) =>
    vendor.searchLeadOpportunities({ data: [{ modifiedDate }] }, { signal }),
  );
  const found = foundIds(answer.data);
  const unusable = found.filter((id) => !isVendorId(id));
  return { items: changed(found.filter(isVendorId)), unusable, vendorNow: vendorTime(answer) };
}

function changed(ids: readonly string[]): readonly ChangedAtVendor[] {
  return ids.map((vendorId) => ({ opportunity: { vendorId } }));
}
