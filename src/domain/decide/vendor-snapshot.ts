import { isLedgerRestored } from '../base/after-ledger-restore.ts';
import { movedFields } from '../base/under-mapping.ts';
import { isOpen } from '../record/issue.ts';
import type { Link } from '../record/link.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { VendorObservation } from '../record/observation.ts';
import { highestKnownVersion, isBefore } from '../record/versions.ts';

/** The last reading of a record, where no mark of a change, no write of ours and no uncertainty has followed it; else null. Pure. */
function currentSnapshot(link: Link): VendorObservation | null {
  const { base, vendorObservation: reading } = link;
  if (reading === null || reading.vendorId !== link.vendorId) return null;
  if (link.vendorDue || link.vendorInDoubt !== 'no' || link.adoptingSince !== null) return null;
  // Our own write moves the stamp, so that what somebody entered beside it cannot be told from it.
  if (reading.optimistic !== undefined || (base?.awaitingEcho.length ?? 0) > 0) return null;
  if (base?.inDoubtVendorWrites !== undefined) return null;
  const isLateArrival =
    base !== null && (reading.version === null || isBefore(reading.version, highestKnownVersion(base)));
  return isLateArrival ? null : reading;
}

/** Whether a reading was kept by which nothing was decided: the work that it was read for came to its end before. Pure. */
export function isUndecided({ base, vendorId, vendorObservation: reading }: Link): boolean {
  if (base === null || reading?.vendorId !== vendorId) return false;
  const known = highestKnownVersion(base);
  return known === null ? reading.version !== null : isBefore(known, reading.version);
}

/** A vendor reading older than this, in milliseconds, is nothing to decide on. */
export const READING_FRESH_MS = 60_000;

/**
 * The reading that another writer has kept and not decided on, where it is still as good as a new one: young, and followed by no mark
 * of a change, no write of ours and no uncertainty. Null where the record has to be read; `at`: now, ISO. What changed since it was
 * read it does not show, so that nothing goes whole by it; in `isBulk` work it does, as a quota has each write wait, and a second
 * reading before each would be a quarter of all requests. Pure.
 */
export function reusableSnapshot(link: Link, at: string, isBulk: boolean): VendorObservation | null {
  const reading = currentSnapshot(link);
  if (reading === null || Date.parse(at) - Date.parse(reading.readAt) > READING_FRESH_MS) return null;
  if (isLedgerRestored(link) || link.base?.inDoubtCrmWrites !== undefined) return null;
  return isBulk ? reading : { ...reading, source: 'kept' };
}

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
  told: Unmodified,
  config: MappingConfig,
): VendorObservation | null {
  const known = told.get(link.vendorId ?? '');
  const reading = known?.holds === true ? sufficientSnapshot(link, config) : null;
  return known === undefined || reading === null
    ? null
    : { ...reading, readAt: known.asOf, source: 'search' };
}

type LinkUnderMapping = {
  readonly link: Pick<Link, 'vendorInDoubt' | 'base' | 'state' | 'issues'>;
  readonly config: MappingConfig;
};

/** Why an observation of the CRM alone is not enough; null where it may be. */
export function needsReading({ link, config }: LinkUnderMapping): string | null {
  if (link.vendorInDoubt !== 'no') return 'an update may have been applied';
  if (link.base === null) return 'first look at both sides';
  if (isLedgerRestored(link)) return 'the ledger was brought back';
  if (movedFields(link.base, config).length > 0) return 'the mapping has changed';
  if (link.base.inDoubtCrmWrites !== undefined) return 'a write to the CRM may have been applied';
  // What the vendor's users did meanwhile was seen, and led nowhere.
  if (link.state === 'detached') return 'shared again';
  // What is open concerns both sides, and is told anew only by an observation of both.
  return link.issues.some(isOpen) ? 'something is open' : null;
}
