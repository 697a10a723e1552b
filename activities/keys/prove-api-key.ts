import type { KeyProof } from '../../src/domain/loop/key-proof.ts';
import { earlier, FIRST_LOOK_BACK_MS } from '../../src/domain/streams/look-back.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { inUse, refusesTheKey } from '../support/tenant-key.ts';
import { requestWithKey } from '../support/vendor-request.ts';

const SHORT_MS = 1_000;

/**
 * Tests an API key with a search over one second in one domain of the vendor's API (sales or orders). Returns whether the vendor accepts
 * the key. Tests the new key if one waits to be put in use; otherwise, tests the key in use.
 */
export function createProveApiKey(deps: ActivityDeps) {
  return async function proveApiKey({
    tenant,
    domain,
  }: TenantArgs & { readonly domain: 'sales' | 'order' }): Promise<{ proof: KeyProof }> {
    const { vendor } = deps.runtime(tenant);
    const row = await deps.ledger.vendorKeys(tenant);
    const apiKey = row?.waiting?.apiKey ?? inUse(deps, tenant, row);
    const to = earlier(deps.now(), FIRST_LOOK_BACK_MS);
    const from = earlier(to, SHORT_MS);
    try {
      if (domain === 'sales')
        await requestWithKey(deps, tenant, 'vendor-sales', apiKey, (signal) =>
          vendor.searchLeadOpportunities({ data: [{ modifiedDate: { fromDate: from, toDate: to } }] }, { signal }),
        );
      else
        await requestWithKey(deps, tenant, 'vendor-order', apiKey, (signal) =>
          vendor.searchOrders({ lastUpdateDateTime: { from, to }, top: 1 }, { signal }),
        );
      return { proof: 'taken' };
    } catch (error) {
      if (refusesTheKey(error)) return { proof: 'refused' };
      throw error;
    }
  };
}
