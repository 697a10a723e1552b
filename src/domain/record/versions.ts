import type { Base } from './base.ts';

/** Order of the vendor's version stamps (`modifiedDate`, in either spelling of sales spec 2); null is unknown. */

/** The newest version that a reading is known to have shown. */
export function newestKnown({ vendorVersion, newestRead }: Base): string | null {
  return laterOf(vendorVersion, newestRead ?? null);
}

export function laterOf(a: string | null, b: string | null): string | null {
  return a === null || isBefore(a, b) ? b : a;
}

export function isBefore(version: string | null, known: string | null): boolean {
  return version !== null && known !== null && Date.parse(version) < Date.parse(known);
}

export function isNotAfter(version: string | null, known: string | null): boolean {
  return version !== null && known !== null && Date.parse(version) <= Date.parse(known);
}
