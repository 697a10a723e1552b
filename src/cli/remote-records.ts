import type { StreamLedger } from '../ledger/streams/stream-ledger.ts';
import type { RemoteRecords } from '../operator/records/remote-records.ts';
import { CannotResolve, type ResolvePorts } from '../operator/records/resolve-conflict.ts';
import { PartnerApiError } from '../partner-api/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Crm } from '../salesforce/crm.ts';
import { CrmError } from '../salesforce/errors.ts';
import { checkOrg } from '../worker/admit-org.ts';
import type { KeyScope } from '../worker/key-scope.ts';
import { connectRemotes } from '../worker/remotes.ts';

/**
 * Connects to a tenant's CRM and vendor for an operator's command. `keys` gives the vendor's API key. The first call to the CRM signs in to
 * a Salesforce org. This call fails if the workers would refuse the org, for example because it is not the tenant's org. The caller must
 * call `close`.
 */
export function remoteRecords(
  tenant: Tenant,
  keys: Pick<KeyScope, 'apiKey'>,
  ledger: () => Promise<Pick<StreamLedger, 'cursor'>>,
): RemoteRecords & Pick<ResolvePorts, 'setInCrm'> & { close(): Promise<void> } {
  const { crm, vendor } = connectRemotes(tenant, { keys, admitOrg: checkOrg(ledger, tenant) });
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
    setInCrm: (crmId, crmField, value) => setField(crm, crmId, crmField, value),
    close: () => crm.close(),
  };
}

/**
 * Sets one field of one opportunity. The CRM refuses the change if the opportunity was saved after it was read here, so that no other edit
 * is overwritten. Throws CannotResolve if there is no such opportunity or if the CRM refuses the change.
 */
async function setField(crm: Crm, crmId: string, crmField: string, value: string): Promise<void> {
  const graph = await crm.readGraph(crmId);
  if (graph === null) throw new CannotResolve(`There is no opportunity ${crmId}.`);
  const write = {
    opportunityId: crmId,
    ifUnmodifiedSince: String(graph.opportunity['SystemModstamp']),
    opportunity: { [crmField]: value },
    lines: { create: [], update: [], delete: [] },
    account: null,
  };
  try {
    await crm.applyWrite(write, { readAt: graph.readAt });
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    const what = [error.code, ...error.fields].join(' ');
    throw new CannotResolve(`Salesforce does not take that value of ${crmField} (${what}): correct it, or try again.`);
  }
}
