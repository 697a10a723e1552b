import type { Link } from '../../domain/record/link.ts';
import { VENDOR_KEY } from '../../domain/record/link-key.ts';
import { isLeadId, toDealId } from '../../domain/record/salesforce-id.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';

/**
 * Finds a link by an 18-character id of an opportunity or lead, a vendor id or a link key; null if the ledger has none. The id of a lead
 * also finds the opportunity that it became.
 */
export async function findLinkOf(
  ledger: Pick<LinkLedger, 'findLink' | 'findLinkByIds'>,
  tenant: string,
  id: string,
): Promise<Link | null> {
  if (toDealId(id) === id) {
    const link = await ledger.findLinkByIds(tenant, { crmId: id });
    return link === null && isLeadId(id) ? ledger.findLink(tenant, id) : link;
  }
  return (await ledger.findLinkByIds(tenant, { vendorId: id })) ?? ledger.findLink(tenant, id);
}

/**
 * Returns `id` as an opportunity's or lead's id if it has that form, else as a vendor id. Whether the ledger has the record does not
 * matter.
 */
export function idsOf(id: string): Pick<Link, 'crmId' | 'vendorId'> {
  if (toDealId(id) === id) return { crmId: id, vendorId: null };
  return { crmId: null, vendorId: vendorIdOf(id) };
}

/** The vendor id in a link key that was made from a vendor id (it has the prefix `VENDOR_KEY`). Any other id is returned unchanged. */
export function vendorIdOf(id: string): string {
  return id.startsWith(VENDOR_KEY) ? id.slice(VENDOR_KEY.length) : id;
}
