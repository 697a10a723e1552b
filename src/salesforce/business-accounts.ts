import type { Limits } from './limits.ts';
import type { RestCall } from './session.ts';

/**
 * Returns whether the org has person accounts. A person account has a person's name, so in an org with person accounts a company's name is
 * compared only with business accounts.
 */
export type HasPersonAccounts = (call: RestCall) => Promise<boolean>;

/**
 * Makes a function that finds out from a recent description of the org's accounts whether the org has person accounts: only then do
 * accounts have the field `IsPersonAccount` (Object Reference: Account).
 */
export function personAccountsOf(limits: Limits): HasPersonAccounts {
  return async (call) => {
    const { Account = {} } = await limits.of(['Account'], undefined, call);
    return Object.hasOwn(Account, 'IsPersonAccount');
  };
}
