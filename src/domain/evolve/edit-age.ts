import type { Link } from '../record/link.ts';
import type { WritePlan } from '../record/plan.ts';
import { isNotAfter } from '../record/versions.ts';

export type Direction = 'to-vendor' | 'to-crm';

/** The age of a user's edit. `ms`: how long ago the user saved the change. */
export type EditAge = { readonly direction: Direction; readonly ms: number };

/**
 * The age of the user's edit that a planned write sends to the other side. It is measured at `at` (ISO), from the time when the edited side
 * was saved, and is never negative. Null if no user's edit caused the write: the edited side's version is unknown, or not newer than at the
 * last agreement. `link`: the link before the write.
 */
export function editAge(
  { base, vendorObservation }: Pick<Link, 'base' | 'vendorObservation'>,
  plan: WritePlan,
  at: string,
): EditAge | null {
  const isToVendor = plan.next === 'create-at-vendor' || plan.next === 'update-at-vendor';
  const editedAt = isToVendor ? plan.savedAt : (vendorObservation?.version ?? null);
  const agreedAt = (isToVendor ? base?.crmVersion : base?.vendorVersion) ?? null;
  const ms = Date.parse(at) - Date.parse(editedAt ?? '');
  if (Number.isNaN(ms) || isNotAfter(editedAt, agreedAt)) return null;
  return { direction: isToVendor ? 'to-vendor' : 'to-crm', ms: Math.max(0, ms) };
}
