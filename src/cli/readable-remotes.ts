import type { CrmNames } from '../domain/record/mapping-config.ts';
import type { OrgReads } from '../operator/mapping/org-reads.ts';
import type { PlanRemotes } from '../operator/plan/make-plan.ts';
import type { OrderApi } from '../partner-api/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Crm } from '../salesforce/crm.ts';
import type { KeyScope } from '../worker/key-scope.ts';
import { connectRemotes } from '../worker/remotes.ts';

/**
 * The reads of the CRM and the vendor for commands that write to neither: the reads of a dry run (plan), of orders, and of the description
 * of the org (its objects and fields).
 */
export type ReadableRemotes = PlanRemotes & {
  readonly crm: OrgReads & Pick<Crm, 'rowsWith' | 'ordersWithoutDeal'>;
} & {
  readonly vendor: Pick<OrderApi, 'searchOrders'>;
};

/**
 * Connects to a tenant's CRM and vendor for reading only. The caller must call `close`. `alsoMapped`: further mappings whose CRM fields are
 * read too.
 */
export function readableRemotes(
  tenant: Tenant,
  keys: Pick<KeyScope, 'apiKey'>,
  alsoMapped: readonly CrmNames[] = [],
): ReadableRemotes & { close(): Promise<void> } {
  const { crm, vendor } = connectRemotes(tenant, { keys, alsoMapped });
  const { readGraph, graphsAfter, leadsConvertedInto, eventAllowance, fieldChanges, isMergedInto, hasMadeSuch } = crm;
  const { knownOffers, limits, findCandidates, schema, rowsWith } = crm;
  const { ordersWithoutDeal, productsWithoutOffer, renewalNotices, sharedLeadsWithout } = crm;
  const { readLeadOpportunity, searchLeadOpportunities, searchOrders } = vendor;
  return {
    tenant,
    crm: {
      readGraph,
      graphsAfter,
      leadsConvertedInto,
      eventAllowance,
      fieldChanges,
      isMergedInto,
      hasMadeSuch,
      knownOffers,
      limits,
      findCandidates,
      schema,
      rowsWith,
      ordersWithoutDeal,
      productsWithoutOffer,
      renewalNotices,
      sharedLeadsWithout,
    },
    vendor: { readLeadOpportunity, searchLeadOpportunities, searchOrders },
    close: () => crm.close(),
  };
}
