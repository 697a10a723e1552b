import { isNotAfter } from '../record/versions.ts';

/**
 * When a side changed. A side has one stamp for its whole record and our own writes move it, so a field's change
 * is known only to lie after the version of the base and not after the version that shows the difference.
 */
export type ChangeInterval = { readonly after: string | null; readonly until: string | null };

/** The side that changed last, or null when the intervals overlap or are not known: then nobody can tell. */
export function newerSide(crm: ChangeInterval, vendor: ChangeInterval): 'crm' | 'vendor' | null {
  if (isNotAfter(crm.until, vendor.after)) return 'vendor';
  if (isNotAfter(vendor.until, crm.after)) return 'crm';
  return null;
}

/**
 * The side whose record was saved later, by the stamps of both sides; the CRM's stamps are whole seconds, and within one
 * second the CRM's edit counts as the later one, as it does where the vendor tells no time.
 */
export function laterRecord(crm: ChangeInterval, vendor: ChangeInterval): 'crm' | 'vendor' {
  return secondOf(vendor.until) > secondOf(crm.until) ? 'vendor' : 'crm';
}

/** Not a number where it is not known. */
function secondOf(stamp: string | null): number {
  return Math.floor(Date.parse(stamp ?? '') / 1000);
}
