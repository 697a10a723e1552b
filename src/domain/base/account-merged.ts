import type { Base } from '../record/base.ts';

/** The base of a deal whose account was merged into `accountId`: both sides still agree on the company, under that account. */
export function withAccountMerged(base: Base, accountId: string): Base {
  const { customerLegalEntity: company } = base.crm;
  if (company === undefined || company === null) return base;
  return { ...base, crm: { ...base.crm, customerLegalEntity: { ...company, crmAccountId: accountId } } };
}
