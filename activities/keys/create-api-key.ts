import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { vendorRequest } from '../support/vendor-request.ts';

/**
 * Requests a new API key from the vendor (order spec 4.1), stores it encrypted and returns its hash. This activity is never retried. If the
 * vendor's answer is lost, Lockstep does not know the new key and never uses it.
 */
export function createCreateApiKey(deps: ActivityDeps) {
  return async function createApiKey({ tenant }: TenantArgs): Promise<{ hashedKey: string }> {
    const { ledger, now } = deps;
    const { vendor } = deps.runtime(tenant);
    if (await ledger.askForKey(tenant, now())) {
      const { data } = await vendorRequest(deps, tenant, 'vendor-order', (signal) =>
        vendor.generateApiKey({}, { signal }),
      );
      await ledger.keepKey(tenant, { apiKey: data.api_key, hashedKey: data.hashed_key }, now());
    }
    const waiting = (await ledger.vendorKeys(tenant))?.waiting;
    if (waiting === null || waiting === undefined) throw new TypeError('a new key was dropped meanwhile');
    return { hashedKey: waiting.hashedKey };
  };
}
