import type { Limits } from './limits.ts';
import type { RestCall } from './session.ts';

/** Whether the org has person accounts. Their names are names of people, so a company's name is compared only with business accounts. */
export type HasPersonAccounts = (call: RestCall) => Promise<boolean>;

/** An org without person accounts has no field `IsPersonAccount` (Object Reference: Account), as far as a recent description shows. */
export function personAccountsOf(limits: Limits): HasPersonAccounts {
  return async (call) => {
    const { Account = {} } = await limits.of(['Account'], undefined, call);
    return Object.hasOwn(Account, 'IsPersonAccount');
  };
}
