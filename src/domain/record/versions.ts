import type { Base } from './base.ts';

/**
 * Functions that compare versions (`modifiedDate`) of the vendor's record, in both notations of sales spec 2. Null is an unknown version.
 */

/** The highest version of the vendor's record that any read returned; null if no read returned a version. */
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

/** The time of a version in milliseconds. NaN if the version is unknown, so that it is neither before nor after any other. */
function timeOf(version: string | null): number {
  return Date.parse(String(version));
}
