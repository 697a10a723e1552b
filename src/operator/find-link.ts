import type { Link } from '../domain/record/link.ts';
import { toOpportunityId } from '../domain/record/salesforce-id.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** The link of an opportunity's id of 18 characters, a vendor id or a link's key; null where the ledger has none. */
export async function findLinkOf(
  ledger: Pick<Ledger, 'findLink' | 'findLinkByIds'>,
  tenant: string,
  id: string,
): Promise<Link | null> {
  if (toOpportunityId(id) === id) return ledger.findLinkByIds(tenant, { crmId: id });
  return (await ledger.findLinkByIds(tenant, { vendorId: id })) ?? ledger.findLink(tenant, id);
}
