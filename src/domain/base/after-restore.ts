import type { Base } from '../record/base.ts';
import type { VendorObservation } from '../record/observation.ts';
import { highestKnownVersion, isBefore } from '../record/versions.ts';

/** Whether a reading shows an older version of the vendor's record than an earlier reading did. */
export function isOlderThanKnown(base: Base, { version }: VendorObservation): boolean {
  return isBefore(version, highestKnownVersion(base));
}

/**
 * The base (last agreed values) of a record that the vendor restored to an older state. Drops the notes about later writes and versions. No
 * reading can show these writes any more, and compared with the later versions every reading would count as stale.
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
