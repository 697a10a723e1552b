import type { Base } from '../record/base.ts';
import type { VendorObservation } from '../record/observation.ts';
import { highestKnownVersion, isBefore } from '../record/versions.ts';

/** Whether a reading shows an older state of the vendor's record than was read before. */
export function isOlderThanKnown(base: Base, { version }: VendorObservation): boolean {
  return isBefore(version, highestKnownVersion(base));
}

/**
 * The base of a record that the vendor's side has brought back to an older state: what it showed later, and what was sent over
 * that, tells nothing of what it will show. A reading counts as late otherwise.
 */
export function baseAfterRestore(base: Base): Base {
  const {
    basedOn: _sent,
    inDoubtVendorWrites: _uncertain,
    highestSeenVersion: _read,
    versionOfOwnWrite: _own,
    partlyAppliedLines: _partly,
    ...agreed
  } = base;
  return { ...agreed, awaitingEcho: [], vendorVersion: null };
}
