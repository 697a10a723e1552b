import type { KeyLedger } from '../ledger/tenants/key-ledger.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { KeyScope } from '../worker/key-scope.ts';

/** The key that the tenant's workers send by now: that of the ledger, else that of its file. */
export function ledgerKeys(
  { tenant }: Tenant,
  ledger: () => Promise<Pick<KeyLedger, 'vendorKeys'>>,
): Pick<KeyScope, 'apiKey'> {
  return { apiKey: async (own) => (await (await ledger()).vendorKeys(tenant))?.inUse ?? own.reveal() };
}
