import type { Base } from '../record/base.ts';
import type { VendorObservation } from '../record/observation.ts';
import { highestKnownVersion, isBefore } from '../record/versions.ts';

/**
 * Whether a read of the vendor's record returned an older version than an earlier read did. The read is then stale, or the vendor has
 * restored an older state of the record.
 */
export function isOlderThanKnown(base: Base, { version }: VendorObservation): boolean {
  return isBefore(version, highestKnownVersion(base));
}

/**
 * The base (last agreed values) of a record that the vendor restored to an older state. It has no notes about later writes, because no read
 * can show these writes after the restore. It has no later versions either, because in comparison with them every read would count as
 * stale.
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
