import type { Limits } from './limits.ts';
import type { RestCall } from './session.ts';

/**
 * Returns whether the org has person accounts. The name of a person account is a person's, so a company's name is compared only with
 * business accounts.
 */
export type HasPersonAccounts = (call: RestCall) => Promise<boolean>;

/**
 * Checks whether the org has person accounts, by a recent description of its accounts. An org without them has no field `IsPersonAccount`
 * (Object Reference: Account).
 */
export function personAccountsOf(limits: Limits): HasPersonAccounts {
  return async (call) => {
    const { Account = {} } = await limits.of(['Account'], undefined, call);
    return Object.hasOwn(Account, 'IsPersonAccount');
  };
}
