import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import { highestKnownVersion, isBefore } from '../record/versions.ts';

/** The last reading of a record, where no mark of a change, no write of ours and no uncertainty has followed it; else null. Pure. */
export function currentSnapshot(link: Link): VendorObservation | null {
  const { base, vendorObservation: reading } = link;
  if (reading === null || reading.vendorId !== link.vendorId) return null;
  if (link.vendorDue || link.vendorInDoubt !== 'no' || link.adoptingSince !== null) return null;
  // Our own write moves the stamp, so that what somebody entered beside it cannot be told from it.
  if (reading.optimistic !== undefined || (base?.awaitingEcho.length ?? 0) > 0) return null;
  if (base?.inDoubtVendorWrites !== undefined) return null;
  const isOlder =
    base !== null && (reading.version === null || isBefore(reading.version, highestKnownVersion(base)));
  return isOlder ? null : reading;
}

/** Whether a reading was kept by which nothing was decided: the work that it was read for came to its end before. Pure. */
export function isUndecided({ base, vendorId, vendorObservation: reading }: Link): boolean {
  if (base === null || reading?.vendorId !== vendorId) return false;
  const known = highestKnownVersion(base);
  return known === null ? reading.version !== null : isBefore(known, reading.version);
}
