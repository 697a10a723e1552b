import type { RemoteRecords } from '../operator/remote-records.ts';
import { PartnerApiError } from '../partner-api/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import { connectRemotes } from '../worker/remotes.ts';

/** A tenant's remote systems, for what an operator's verb asks of them. Signs in at the first question; to be closed. */
export function remoteRecords(tenant: Tenant): RemoteRecords & { close(): Promise<void> } {
  const { crm, vendor } = connectRemotes(tenant);
  return {
    opportunity: async (crmId) => {
      const graph = await crm.readGraph(crmId);
      return graph === null || graph.opportunity['IsDeleted'] === true ? null : graph.opportunity;
    },
    hasVendorRecord: async (vendorId) => {
      try {
        await vendor.readLeadOpportunity({ id: vendorId });
        return true;
      } catch (error) {
        if (error instanceof PartnerApiError && (error.kind === 'out-of-scope' || error.kind === 'not-found'))
          return false;
        throw error;
      }
    },
    close: () => crm.close(),
  };
}
