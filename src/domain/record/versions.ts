import type { Base } from './base.ts';

/** Order of the vendor's version stamps (`modifiedDate`, in either spelling of sales spec 2); null is unknown. */

/** The newest version that a reading is known to have shown. */
export function highestKnownVersion({ vendorVersion, highestSeenVersion }: Base): string | null {
  return laterOf(vendorVersion, highestSeenVersion ?? null);
}

export function laterOf(a: string | null, b: string | null): string | null {
  return a === null || isBefore(a, b) ? b : a;
}

export function isBefore(version: string | null, known: string | null): boolean {
  return timeOf(version) < timeOf(known);
}

export function isNotAfter(version: string | null, known: string | null): boolean {
  return timeOf(version) <= timeOf(known);
}

/** Not a number where it is unknown: then it is neither before nor after any. */
function timeOf(version: string | null): number {
  return Date.parse(String(version));
}
