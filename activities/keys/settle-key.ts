import { log } from '@temporalio/activity';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';

type SettleArgs = TenantArgs & { readonly hashedKey: string; readonly as: 'proven' | 'dropped' };

/**
 * Has a proven key be the one in use, and forgets the one before; or forgets a key that nobody wants. May be repeated. False
 * where a key is to be dropped that has taken over.
 */
export function createSettleKey({ ledger, now }: ActivityDeps) {
  return async function settleKey({ tenant, hashedKey, as }: SettleArgs): Promise<{ isDone: boolean }> {
    if (as === 'proven') {
      await ledger.switchKey(tenant, hashedKey, now());
      await ledger.proveKey(tenant, hashedKey, now());
      return { isDone: true };
    }
    await ledger.dropKey(tenant, hashedKey);
    return { isDone: (await ledger.vendorKeys(tenant))?.inUseHash !== hashedKey };
  };
}

/** Says in the log that a new key waits for a person. */
export function createRemindOfKey() {
  return async function remindOfKey({ tenant, days }: TenantArgs & { readonly days: number }): Promise<void> {
    log.warn('a new API key waits to be registered by the vendor and confirmed', { tenant, count: days });
  };
}
