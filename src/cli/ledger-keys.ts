import type { KeyLedger } from '../ledger/tenants/key-ledger.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { KeyScope } from '../worker/key-scope.ts';

/**
 * Makes the function that returns a tenant's API key for the vendor. Like the workers, it takes the key in the ledger (Lockstep's
 * database), else the key in the tenant file.
 */
export function ledgerKeys(
  { tenant }: Tenant,
  ledger: () => Promise<Pick<KeyLedger, 'vendorKeys'>>,
): Pick<KeyScope, 'apiKey'> {
  return { apiKey: async (own) => (await (await ledger()).vendorKeys(tenant))?.inUse ?? own.reveal() };
}
