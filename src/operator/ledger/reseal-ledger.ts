import { AT_HAND_MS } from '../../ledger/core/data-keys.ts';
import type { UpkeepLedger } from '../../ledger/upkeep/upkeep-ledger.ts';

/** Which sealing keys (encryption keys of the installation) encrypt data of the ledger (Lockstep's database). */
export type SealingState = {
  /**
   * How many things each sealing key encrypts, by its id: data keys (each tenant has its own encryption key), plus values that are
   * encrypted directly, without a data key.
   */
  readonly inUse: Readonly<Record<string, number>>;
  /**
   * Sealing keys in this process's file that can be removed, because nothing is encrypted with them. The first key is never among them,
   * because it encrypts new data.
   */
  readonly canGo: readonly string[];
  /** Sealing keys that encrypt data of the ledger but are missing in this process's file. The process cannot read that data. */
  readonly missing: readonly string[];
};

export type LedgerResealed = SealingState & {
  readonly shape: 'ledger-reseal/1';
  /** The number of data keys (each tenant's own encryption key) that this run encrypted with the first sealing key. */
  readonly dataKeys: number;
  readonly values: number;
};

export type ResealPorts = {
  readonly ledger: Pick<UpkeepLedger, 'useDataKeys' | 'sealingKeysInUse' | 'reseal'>;
  /** Ids of the sealing keys (encryption keys) in the key file that this process uses. The first key encrypts new data. */
  readonly keys: readonly string[];
  readonly pause: (ms: number) => Promise<void>;
  /** Called with each message about the progress. */
  readonly progress: (text: string) => void;
};

/** Finds out which sealing keys the ledger uses, and which keys of the file can be removed. */
export async function sealingState(
  ledger: Pick<UpkeepLedger, 'sealingKeysInUse'>,
  keys: readonly string[],
): Promise<SealingState> {
  const inUse = await ledger.sealingKeysInUse();
  return {
    inUse,
    canGo: keys.slice(1).filter((id) => inUse[id] === undefined),
    missing: Object.keys(inUse).filter((id) => !keys.includes(id)),
  };
}

/**
 * Encrypts the data keys (each tenant's own encryption key) with the first sealing key in the file. Values that a sealing key encrypts
 * directly are encrypted with their tenant's data key instead. All processes may keep running meanwhile. Repeatable.
 */
export async function resealLedger({ ledger, keys, pause, progress }: ResealPorts): Promise<LedgerResealed> {
  if (await ledger.useDataKeys()) {
    progress('waiting until every process seals with data keys');
    await pause(AT_HAND_MS);
  }
  let [dataKeys, values] = [0, 0];
  for await (const page of ledger.reseal()) {
    dataKeys += page.dataKeys;
    values += page.values;
    progress(`sealed again: ${dataKeys} data keys, ${values} values`);
  }
  return { shape: 'ledger-reseal/1', dataKeys, values, ...(await sealingState(ledger, keys)) };
}
