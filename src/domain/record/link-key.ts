import { toDealId } from './salesforce-id.ts';

/**
 * The prefix of the link keys of vendor-created deals (a link key is the first id under which Lockstep saw a deal). The prefix prevents a
 * vendor id from being mistaken for a CRM id.
 */
export const VENDOR_KEY = 'vendor:';

type Ids = { readonly crmId: string | null; readonly vendorId: string | null };

/**
 * The key of a new link (the stored pair of CRM record and vendor record): the CRM id if there is one, else the vendor id after the prefix
 * `VENDOR_KEY`.
 */
export function linkKey({ crmId, vendorId }: Ids): string {
  return crmId ?? VENDOR_KEY + vendorId;
}

/**
 * The id in a link key, returned as `crmId` or as `vendorId`; the other is null. Keys of older releases may lack the prefix of vendor ids.
 * A key without prefix is a CRM id if it looks like the id of an opportunity or a lead, else a vendor id.
 */
export function idsOfKey(key: string): Ids {
  if (key.startsWith(VENDOR_KEY)) return { crmId: null, vendorId: key.slice(VENDOR_KEY.length) };
  return toDealId(key) !== null ? { crmId: key, vendorId: null } : { crmId: null, vendorId: key };
}
