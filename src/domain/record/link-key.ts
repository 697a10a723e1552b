import { toDealId } from './salesforce-id.ts';

/** The prefix of the link keys of vendor-created deals. Because of it, no vendor id can be mistaken for a CRM id. */
export const VENDOR_KEY = 'vendor:';

type Ids = { readonly crmId: string | null; readonly vendorId: string | null };

/** The key of a new link: the CRM id if there is one, else the vendor id after the prefix `VENDOR_KEY`. */
export function linkKey({ crmId, vendorId }: Ids): string {
  return crmId ?? VENDOR_KEY + vendorId;
}

/**
 * The id that a link key contains, either a CRM id or a vendor id; the other one is null. A key without the prefix, from an older release,
 * is a CRM id if it looks like the id of an opportunity or a lead, else a vendor id.
 */
export function idsOfKey(key: string): Ids {
  if (key.startsWith(VENDOR_KEY)) return { crmId: null, vendorId: key.slice(VENDOR_KEY.length) };
  return toDealId(key) !== null ? { crmId: key, vendorId: null } : { crmId: null, vendorId: key };
}
