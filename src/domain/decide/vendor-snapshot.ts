import { isLedgerRestored } from '../base/after-ledger-restore.ts';
import { movedFields } from '../base/under-mapping.ts';
import { isOpen } from '../record/issue.ts';
import type { Link } from '../record/link.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { VendorObservation } from '../record/observation.ts';
import { highestKnownVersion, isBefore } from '../record/versions.ts';

/**
 * The vendor's record as last read, if it is still current: no change was reported after the read, Lockstep has sent no write since, and no
 * write is without an answer. Otherwise null. Pure.
 */
function currentSnapshot(link: Link): VendorObservation | null {
  const { base, vendorObservation: reading } = link;
  if (reading === null || reading.vendorId !== link.vendorId) return null;
  if (link.vendorDue || link.vendorInDoubt !== 'no' || link.adoptingSince !== null) return null;
  // Lockstep's own write changes the vendor's version too, so an equal version could hide a vendor user's edit.
  if (reading.optimistic !== undefined || (base?.awaitingEcho.length ?? 0) > 0) return null;
  if (base?.inDoubtVendorWrites !== undefined) return null;
  const isLateArrival =
    base !== null && (reading.version === null || isBefore(reading.version, highestKnownVersion(base)));
  return isLateArrival ? null : reading;
}

/** Whether the vendor's record was read and stored, but no decision has used it, because the worker stopped before the decision. Pure. */
export function isUndecided({ base, vendorId, vendorObservation: reading }: Link): boolean {
  if (base === null || reading?.vendorId !== vendorId) return false;
  const known = highestKnownVersion(base);
  return known === null ? reading.version !== null : isBefore(known, reading.version);
}

/** The maximum age, in milliseconds, at which a record as read from the vendor may still be used for a decision. */
export const READING_FRESH_MS = 60_000;

/**
 * The vendor's record as another worker read and stored it, for a decision at `at` (ISO). Null if it is older than a minute, or if a change
 * was reported or a write was sent after it. The record may lack the newest edits, so the result has the source `kept`. Lockstep therefore
 * reads the record again before some writes, such as a write of a whole list (see `permits`). In bulk work (which an operator started), the
 * result has no such source and permits every write. Pure.
 */
export function reusableSnapshot(link: Link, at: string, isBulk: boolean): VendorObservation | null {
  const reading = currentSnapshot(link);
  if (reading === null || Date.parse(at) - Date.parse(reading.readAt) > READING_FRESH_MS) return null;
  if (isLedgerRestored(link) || link.base?.inDoubtCrmWrites !== undefined) return null;
  return isBulk ? reading : { ...reading, source: 'kept' };
}

/**
 * The results of a search for vendor records, by vendor id. `holds`: the record has not changed since Lockstep last read it. `asOf`: when
 * the search was made, by Lockstep's clock, ISO.
 */
export type Unmodified = ReadonlyMap<string, { readonly holds: boolean; readonly asOf: string }>;

/**
 * The vendor's record as last read, for a link (pair of CRM record and vendor record) that is in sync. A decision may use it without a new
 * read of the vendor. Null if it is not current, because a change was reported or a write was sent after the read. Also null if a decision
 * about this link needs a new read (`needsReading`). Pure.
 */
export function sufficientSnapshot(link: Link, config: MappingConfig): VendorObservation | null {
  if (link.state !== 'in-sync' || link.base === null) return null;
  return needsReading({ link, config }) === null ? currentSnapshot(link) : null;
}

/**
 * The vendor's record as last read, with the time of a search which showed that the record has not changed since. Null if the record must
 * be read again.
 */
export function snapshotConfirmedBySearch(
  link: Link,
  unmodified: Unmodified,
  config: MappingConfig,
): VendorObservation | null {
  const known = unmodified.get(link.vendorId ?? '');
  const reading = known?.holds === true ? sufficientSnapshot(link, config) : null;
  return known === undefined || reading === null ? null : { ...reading, readAt: known.asOf, source: 'search' };
}

type LinkUnderMapping = {
  readonly link: Pick<Link, 'vendorInDoubt' | 'base' | 'state' | 'issues'>;
  readonly config: MappingConfig;
};

/** Why Lockstep must read the vendor's record before it decides about a record, as text; null if a read of the CRM may be enough. */
export function needsReading({ link, config }: LinkUnderMapping): string | null {
  if (link.vendorInDoubt !== 'no') return 'an update may have been applied';
  if (link.base === null) return 'first look at both sides';
  if (isLedgerRestored(link)) return 'the ledger was brought back';
  if (movedFields(link.base, config).length > 0) return 'the mapping has changed';
  if (link.base.goingBack !== undefined) return 'an undo waits';
  if (link.base.inDoubtCrmWrites !== undefined) return 'a write to the CRM may have been applied';
  // While the link was detached (not synced), Lockstep ignored the vendor's changes.
  if (link.state === 'detached') return 'shared again';
  // An open issue may concern both sides. So a new decision about it needs a read of both sides.
  return link.issues.some(isOpen) ? 'something is open' : null;
}
