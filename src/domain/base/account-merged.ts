import type { Base, InDoubtWrites } from '../record/base.ts';
import type { Observed } from '../record/canonical.ts';

/**
 * Ids of the CRM accounts that Lockstep has stored as the deal's company: in the base (last agreed values), or in a write whose answer was
 * lost. Lockstep asks the CRM whether such an account was merged into the deal's present account.
 */
export function accountsOf({ crm, inDoubtVendorWrites, inDoubtCrmWrites }: Base): ReadonlySet<string> {
  const writes = [...(inDoubtVendorWrites?.sent ?? []), ...(inDoubtCrmWrites?.sent ?? [])];
  const ids = [crm, ...writes.map((write) => write.crm)].map((record) => record.customerLegalEntity?.crmAccountId);
  return new Set(ids.filter((id) => id !== undefined));
}

/**
 * The base (last agreed values) after a Salesforce user merged the deal's account `former` into `accountId`. Both sides still agree on the
 * company, because the merge did not change it. Writes in doubt (without an answer) get the new account too.
 */
export function withAccountMerged(base: Base, former: string, accountId: string): Base {
  const renamed = (record: Observed): Observed => {
    const { customerLegalEntity: company } = record;
    if (company?.crmAccountId !== former) return record;
    return { ...record, customerLegalEntity: { ...company, crmAccountId: accountId } };
  };
  const inDoubt = (writes: InDoubtWrites): InDoubtWrites => ({
    ...writes,
    sent: writes.sent.map((write) => ({ ...write, crm: renamed(write.crm) })),
  });
  const { crm, inDoubtVendorWrites: vendor, inDoubtCrmWrites: own } = base;
  return {
    ...base,
    crm: renamed(crm),
    ...(vendor !== undefined && { inDoubtVendorWrites: inDoubt(vendor) }),
    ...(own !== undefined && { inDoubtCrmWrites: inDoubt(own) }),
  };
}
