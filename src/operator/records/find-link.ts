import type { Link } from '../../domain/record/link.ts';
import { VENDOR_KEY } from '../../domain/record/link-key.ts';
import { toOpportunityId } from '../../domain/record/salesforce-id.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';

/** The link of an opportunity's id of 18 characters, a vendor id or a link's key; null where the ledger has none. */
export async function findLinkOf(
  ledger: Pick<LinkLedger, 'findLink' | 'findLinkByIds'>,
  tenant: string,
  id: string,
): Promise<Link | null> {
  if (toOpportunityId(id) === id) return ledger.findLinkByIds(tenant, { crmId: id });
  return (await ledger.findLinkByIds(tenant, { vendorId: id })) ?? ledger.findLink(tenant, id);
}

/** The ids that such an id tells by itself, of a record that the ledger need not have. */
export function idsOf(id: string): Pick<Link, 'crmId' | 'vendorId'> {
  if (toOpportunityId(id) === id) return { crmId: id, vendorId: null };
  return { crmId: null, vendorId: vendorIdOf(id) };
}

/** A vendor id, also of one that was given as the key of a link that was first seen there. */
export function vendorIdOf(id: string): string {
  return id.startsWith(VENDOR_KEY) ? id.slice(VENDOR_KEY.length) : id;
}
