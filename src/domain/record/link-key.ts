import { toDealId } from './salesforce-id.ts';

/** The prefix of keys of vendor-created deals. With it, no vendor id can be mistaken for a CRM id. */
export const VENDOR_KEY = 'vendor:';

type Ids = { readonly crmId: string | null; readonly vendorId: string | null };

/** The link key of a new link: the CRM id if there is one, else the vendor id with the prefix `VENDOR_KEY`. */
export function linkKey({ crmId, vendorId }: Ids): string {
  return crmId ?? VENDOR_KEY + vendorId;
}

/**
 * The CRM id or the vendor id that a link key contains; the other one is null. Keys from before the prefix existed are CRM ids if they look
 * like the id of an opportunity or a lead, else vendor ids.
 */
export function idsOfKey(key: string): Ids {
  if (key.startsWith(VENDOR_KEY)) return { crmId: null, vendorId: key.slice(VENDOR_KEY.length) };
  return toDealId(key) !== null ? { crmId: key, vendorId: null } : { crmId: null, vendorId: key };
}
