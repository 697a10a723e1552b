import type { Link } from '../record/link.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { VendorObservation } from '../record/observation.ts';
import { isBefore, newestKnown } from '../record/versions.ts';
import { needsReading } from './decide-linked.ts';

/**
 * What the vendor's search has told of records in the place of readings, by vendor id: whether the last reading still `holds`, and as
 * of when (ISO, by our clock).
 */
export type Unmodified = ReadonlyMap<string, { readonly holds: boolean; readonly asOf: string }>;

/**
 * The last reading of a linked record, where it is all that is known of the vendor's side: no mark of a change, no write of ours
 * and no uncertainty has followed it, and nothing of the decision asks for a new one. Null where the record has to be read. Pure.
 */
export function lastReading(link: Link, config: MappingConfig): VendorObservation | null {
  const { base, vendorObservation: reading } = link;
  if (link.state !== 'in-sync' || link.vendorDue || link.adoptingSince !== null) return null;
  if (base === null || reading === null || needsReading({ link, config }) !== null) return null;
  // Our own write moves the stamp, so that what somebody entered beside it cannot be told from it.
  if (reading.overlaid !== undefined || base.awaitingEcho.length > 0) return null;
  if (base.uncertainVendorWrites !== undefined) return null;
  const isLate = reading.version === null || isBefore(reading.version, newestKnown(base));
  return isLate || reading.vendorId !== link.vendorId ? null : reading;
}

/** The last reading as one of the instant as of which a search has told that it holds; null where the record has to be read. */
export function stillShown(link: Link, told: Unmodified, config: MappingConfig): VendorObservation | null {
  const known = told.get(link.vendorId ?? '');
  const reading = known?.holds === true ? lastReading(link, config) : null;
  return known === undefined || reading === null ? null : { ...reading, readAt: known.asOf };
}
