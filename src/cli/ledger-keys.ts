import type { KeyLedger } from '../ledger/tenants/key-ledger.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { KeyScope } from '../worker/key-scope.ts';

/** The API key that the tenant's workers use: the ledger's key, else the tenant file's. */
export function ledgerKeys(
  { tenant }: Tenant,
  ledger: () => Promise<Pick<KeyLedger, 'vendorKeys'>>,
): Pick<KeyScope, 'apiKey'> {
  return { apiKey: async (own) => (await (await ledger()).vendorKeys(tenant))?.inUse ?? own.reveal() };
}
