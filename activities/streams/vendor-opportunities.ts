import { isVendorId } from '../../src/domain/record/vendor-id.ts';
import { foundIds } from '../../src/partner-api/index.ts';
import { type ChangedOpportunity, dueOpportunities } from './due-opportunities.ts';
import { readInto, type StreamSource } from './stream.ts';
import { vendorPeriods } from './vendor-periods.ts';

type ChangedAtVendor = ChangedOpportunity & { readonly opportunity: { readonly vendorId: string } };

/**
 * Searches lead-opportunities (the vendor's records of deals) that changed at the vendor, period by period. Marks the found deals as due
 * (to be synced). If they are few, syncs them in this activity; otherwise wakes (signals or starts) their workflows.
 */
export const vendorOpportunities: StreamSource<'pollVendor'> = (stream) => {
  const { deps, runtime } = stream;
  const { tenant } = runtime.tenant;
  const changes = vendorPeriods(stream, {
    search: (vendor, modifiedDate, options) => vendor.searchLeadOpportunities({ data: [{ modifiedDate }] }, options),
    found: (data) => {
      const ids = foundIds(data);
      return { items: changed(ids.filter(isVendorId)), unusable: ids.filter((id) => !isVendorId(id)) };
    },
    ignoredBySideSince: async (items, since) => {
      const ids = items.map(({ opportunity }) => opportunity.vendorId);
      return changed(await deps.ledger.vendorIdsNotMarkedSince(tenant, ids, since));
    },
  });
  return readInto(stream, [changes], dueOpportunities(deps, tenant, 'vendor'));
};

function changed(ids: readonly string[]): readonly ChangedAtVendor[] {
  return ids.map((vendorId) => ({ opportunity: { vendorId } }));
}
