import { isBroughtBack } from '../base/after-ledger-restore.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import { isBefore, newestKnown } from '../record/versions.ts';

/** A vendor reading older than this, in milliseconds, is nothing to decide on. */
export const READING_FRESH_MS = 60_000;

/**
 * The reading that another hand has kept and not decided on, where it is still as good as a new one: young, and followed by no mark
 * of a change, no write of ours and no uncertainty. Null where the record has to be read; `at`: now, ISO. Pure.
 */
export function keptReading(link: Link, at: string): VendorObservation | null {
  const { base, vendorObservation: reading } = link;
  if (reading === null || reading.vendorId !== link.vendorId || reading.overlaid !== undefined) return null;
  if (Date.parse(at) - Date.parse(reading.readAt) > READING_FRESH_MS) return null;
  if (link.vendorDue || link.vendorUncertain !== 'no' || link.adoptingSince !== null) return null;
  if (isBroughtBack(link)) return null;
  if (base === null) return reading;
  const isOpen = base.awaitingEcho.length > 0 || base.uncertainVendorWrites !== undefined;
  const isLate = reading.version === null || isBefore(reading.version, newestKnown(base));
  return isOpen || isLate || base.uncertainCrmWrites !== undefined ? null : reading;
}
