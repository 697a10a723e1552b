import type { PlanRemotes } from '../operator/plan/make-plan.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { KeyScope } from '../worker/key-scope.ts';
import { connectRemotes } from '../worker/remotes.ts';

/**
 * What may be read of a tenant's remote systems. Only the reads are handed on, so that whoever holds this can write to neither.
 * Signs in at the first question; to be closed.
 */
export function readableRemotes(
  tenant: Tenant,
  keys: Pick<KeyScope, 'apiKey'>,
): PlanRemotes & { close(): Promise<void> } {
  const { crm, vendor } = connectRemotes(tenant, { keys });
  const { readGraph, graphsAfter, fieldChanges, knownOffers, limits, findCandidates } = crm;
  const { readLeadOpportunity, searchLeadOpportunities } = vendor;
  return {
    tenant,
    crm: { readGraph, graphsAfter, fieldChanges, knownOffers, limits, findCandidates },
    vendor: { readLeadOpportunity, searchLeadOpportunities },
    close: () => crm.close(),
  };
}
