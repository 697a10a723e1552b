import { isNotAfter } from '../record/versions.ts';

/**
 * When a side changed. A side has one stamp for its whole record and our own writes move it, so a field's change
 * is known only to lie after the version of the base and not after the version that shows the difference.
 */
export type ChangeInterval = { readonly after: string | null; readonly until: string | null };

/**
 * The side that changed last, or null when the intervals overlap or are not known: then nobody can tell, and the
 * tenant's declared side decides.
 */
export function newerSide(crm: ChangeInterval, vendor: ChangeInterval): 'crm' | 'vendor' | null {
  if (isNotAfter(crm.until, vendor.after)) return 'vendor';
  if (isNotAfter(vendor.until, crm.after)) return 'crm';
  return null;
}
