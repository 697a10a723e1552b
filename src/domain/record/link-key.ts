import { referenceKind } from './reference.ts';

/** Keys of vendor-created deals begin with this, so that no id of the vendor's reads as a key of the CRM's side. */
export const VENDOR_KEY = 'vendor:';

type Ids = { readonly crmId: string | null; readonly vendorId: string | null };

/** The key of a deal that was first seen under this id: the CRM's, or the vendor's. */
export function linkKey({ crmId, vendorId }: Ids): string {
  return crmId ?? VENDOR_KEY + vendorId;
}

/** The id that a key tells. One from before keys had a side is the CRM's if it reads as an opportunity's id. */
export function idsOfKey(key: string): Ids {
  if (key.startsWith(VENDOR_KEY)) return { crmId: null, vendorId: key.slice(VENDOR_KEY.length) };
  return referenceKind(key) === 'ours' ? { crmId: key, vendorId: null } : { crmId: null, vendorId: key };
}
