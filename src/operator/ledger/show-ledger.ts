import type { UpkeepLedger } from '../../ledger/upkeep/upkeep-ledger.ts';
import { type SealingState, sealingState } from './reseal-ledger.ts';

export type LedgerShown = SealingState & {
  readonly shape: 'ledger/1';
  /** Size of the database in bytes. */
  readonly bytes: number;
};

/**
 * Reads the size of the ledger (Lockstep's database) and the state of its sealing keys (encryption keys). `keys`: the ids of the sealing
 * keys in this process's file; the first one encrypts new data.
 */
export async function showLedger(
  ledger: Pick<UpkeepLedger, 'sizeBytes' | 'sealingKeysInUse'>,
  keys: readonly string[],
): Promise<LedgerShown> {
  return {
    shape: 'ledger/1',
    bytes: await ledger.sizeBytes(),
    ...(await sealingState(ledger, keys)),
  };
}

export type LedgerRestored = {
  readonly shape: 'ledger-restored/1';
  /** When the operator reported that the ledger was restored from a backup, ISO. */
  readonly at: string;
  /**
   * The number of records in the restored ledger. Their stored values may be outdated, because the records may have been synced after the
   * backup. So Lockstep reads each record in the CRM and at the vendor before it writes to the record again.
   */
  readonly records: number;
};

/**
 * Stores, at the request of an operator, that the ledger was restored from a backup. If CRM and vendor differ, Lockstep then decides
 * without the stored base (last agreed values), because both may have agreed on newer values since the backup. Repeatable. `at`: the
 * present instant, ISO.
 */
export async function noteLedgerRestored(
  ledger: Pick<UpkeepLedger, 'noteRestored'>,
  at: string,
): Promise<LedgerRestored> {
  return { shape: 'ledger-restored/1', at, records: await ledger.noteRestored(at) };
}
