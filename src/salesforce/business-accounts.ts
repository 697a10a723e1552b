import type { Limits } from './limits.ts';
import type { RestCall } from './session.ts';

/**
 * Returns whether the org has person accounts. Their name is a person's name, so in such an org a company's name is compared only with
 * business accounts.
 */
export type HasPersonAccounts = (call: RestCall) => Promise<boolean>;

/**
 * Finds out whether the org has person accounts, from a recent description of its accounts: without them, there is no field
 * `IsPersonAccount` (Object Reference: Account).
 */
export function personAccountsOf(limits: Limits): HasPersonAccounts {
  return async (call) => {
    const { Account = {} } = await limits.of(['Account'], undefined, call);
    return Object.hasOwn(Account, 'IsPersonAccount');
  };
}
