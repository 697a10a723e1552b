import { isLedgerRestored } from '../base/after-ledger-restore.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import { currentSnapshot } from './current-snapshot.ts';

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
