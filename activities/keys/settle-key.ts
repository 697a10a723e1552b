import { log } from '@temporalio/activity';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';

type SettleArgs = TenantArgs & { readonly hashedKey: string; readonly as: 'proven' | 'dropped' };

/**
 * Ends the change of an API key. `proven`: puts the tested new key in use and deletes the old key. `dropped`: deletes the new key.
 * Idempotent. `isDone` is false in two cases. `proven`: the ledger (Lockstep's database) lacks the new key, for example after a restore
 * from a backup. `dropped`: the new key cannot be deleted, because it is already in use.
 */
export function createSettleKey({ ledger, now }: ActivityDeps) {
  return async function settleKey({ tenant, hashedKey, as }: SettleArgs): Promise<{ isDone: boolean }> {
    if (as === 'proven') {
      await ledger.switchKey(tenant, hashedKey, now());
      await ledger.proveKey(tenant, hashedKey, now());
    } else {
      await ledger.dropKey(tenant, hashedKey);
    }
    const isInUse = (await ledger.vendorKeys(tenant))?.inUseHash === hashedKey;
    return { isDone: isInUse === (as === 'proven') };
  };
}

/** Logs a reminder that a new API key waits until an operator puts it in use. */
export function createRemindOfKey() {
  return async function remindOfKey({ tenant, days }: TenantArgs & { readonly days: number }): Promise<void> {
    log.warn('a new API key waits to be registered by the vendor and confirmed', { tenant, count: days });
  };
}
