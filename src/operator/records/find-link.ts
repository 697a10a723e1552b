import type { Link } from '../../domain/record/link.ts';
import { VENDOR_KEY } from '../../domain/record/link-key.ts';
import { isLeadId, toDealId } from '../../domain/record/salesforce-id.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';

/**
 * Finds a link (stored pair of CRM record and vendor record) by an opportunity's or lead's 18-character id, a vendor id or the link's key.
 * The id of a lead also finds the deal into which the lead was converted. Null if the ledger (Lockstep's database) has no such link.
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
 * Returns `id` as a CRM id if it has the form of an opportunity's or lead's id, otherwise as a vendor id. Does not check whether the ledger
 * has the record.
 */
export function idsOf(id: string): Pick<Link, 'crmId' | 'vendorId'> {
  if (toDealId(id) === id) return { crmId: id, vendorId: null };
  return { crmId: null, vendorId: vendorIdOf(id) };
}

/**
 * Returns the vendor id that the key of a vendor-created deal's link contains after the prefix `VENDOR_KEY`. Returns any other id
 * unchanged.
 */
export function vendorIdOf(id: string): string {
  return id.startsWith(VENDOR_KEY) ? id.slice(VENDOR_KEY.length) : id;
}
