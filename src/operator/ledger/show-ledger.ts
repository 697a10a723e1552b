import type { UpkeepLedger } from '../../ledger/upkeep/upkeep-ledger.ts';
import { type SealingState, sealingState } from './reseal-ledger.ts';

export type LedgerShown = SealingState & {
  readonly shape: 'ledger/1';
  /** What the database takes. */
  readonly bytes: number;
};

/** How much the ledger takes, and which keys seal it. `keys`: ids of the sealing keys of this process's file, the one that seals first. */
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
  /** ISO instant. */
  readonly at: string;
  /** How many are looked at on both sides before anything of theirs is written. */
  readonly records: number;
};

/** Notes a person's word that the ledger was brought back from a backup. Repeatable. `at` is an ISO instant. */
export async function noteLedgerRestored(
  ledger: Pick<UpkeepLedger, 'noteRestored'>,
  at: string,
): Promise<LedgerRestored> {
  return { shape: 'ledger-restored/1', at, records: await ledger.noteRestored(at) };
}
