import type { Base } from '../record/base.ts';

/** The base of a deal after a Salesforce user merged its account into `accountId`. Both sides still agree on the company. */
export function withAccountMerged(base: Base, accountId: string): Base {
  const { customerLegalEntity: company } = base.crm;
  if (company === undefined || company === null) return base;
  return { ...base, crm: { ...base.crm, customerLegalEntity: { ...company, crmAccountId: accountId } } };
}
