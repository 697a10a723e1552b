import type { Link } from '../record/link.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { VendorObservation } from '../record/observation.ts';
import { currentSnapshot } from './current-snapshot.ts';
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
export function sufficientSnapshot(link: Link, config: MappingConfig): VendorObservation | null {
  if (link.state !== 'in-sync' || link.base === null) return null;
  return needsReading({ link, config }) === null ? currentSnapshot(link) : null;
}

/** The last reading as one of the instant as of which a search has told that it holds; null where the record has to be read. */
export function snapshotConfirmedBySearch(
  link: Link,
  searched: Unmodified,
  config: MappingConfig,
): VendorObservation | null {
  const known = searched.get(link.vendorId ?? '');
  const reading = known?.holds === true ? sufficientSnapshot(link, config) : null;
  return known === undefined || reading === null
    ? null
    : { ...reading, readAt: known.asOf, source: 'search' };
}
