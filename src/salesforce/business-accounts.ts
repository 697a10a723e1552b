import type { Limits } from './limits.ts';
import type { RestCall } from './session.ts';

/**
 * Returns whether the org has person accounts. A person account has a person's name, so in an org with person accounts a company's name is
 * compared only with business accounts.
 */
export type HasPersonAccounts = (call: RestCall) => Promise<boolean>;

/**
 * Makes a function that returns whether the org has person accounts. It reads this from a description of the object Account, cached for up
 * to an hour: the object has the field `IsPersonAccount` only in an org with person accounts (Object Reference: Account).
 */
export function personAccountsOf(limits: Limits): HasPersonAccounts {
  return async (call) => {
    const { Account = {} } = await limits.of(['Account'], undefined, call);
    return Object.hasOwn(Account, 'IsPersonAccount');
  };
}
