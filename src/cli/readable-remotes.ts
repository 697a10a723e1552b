import type { CrmNames } from '../domain/record/mapping-config.ts';
import type { PlanRemotes } from '../operator/plan/make-plan.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Crm } from '../salesforce/crm.ts';
import type { KeyScope } from '../worker/key-scope.ts';
import { connectRemotes } from '../worker/remotes.ts';

/** Reads alone: what a plan takes, and how the org describes itself. */
export type ReadableRemotes = PlanRemotes & { readonly crm: Pick<Crm, 'schema' | 'rowsWith'> };

/**
 * What may be read of a tenant's remote systems. Only the reads are handed on, so that whoever holds this can write to neither.
 * Signs in at the first question; to be closed. `alsoMapped`: mappings besides the tenant's own whose fields are read.
 */
export function readableRemotes(
  tenant: Tenant,
  keys: Pick<KeyScope, 'apiKey'>,
  alsoMapped: readonly CrmNames[] = [],
): ReadableRemotes & { close(): Promise<void> } {
  const { crm, vendor } = connectRemotes(tenant, { keys, alsoMapped });
  const { readGraph, graphsAfter, fieldChanges, knownOffers, limits, findCandidates, schema, rowsWith } = crm;
  const { readLeadOpportunity, searchLeadOpportunities } = vendor;
  return {
    tenant,
    crm: { readGraph, graphsAfter, fieldChanges, knownOffers, limits, findCandidates, schema, rowsWith },
    vendor: { readLeadOpportunity, searchLeadOpportunities },
    close: () => crm.close(),
  };
}
