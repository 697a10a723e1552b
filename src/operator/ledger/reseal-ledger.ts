import { AT_HAND_MS } from '../../ledger/core/data-keys.ts';
import type { UpkeepLedger } from '../../ledger/upkeep/upkeep-ledger.ts';

/** Which sealing keys seal something of the ledger. */
export type SealingState = {
  /** How many data keys, and values of their own, each of them seals, by its id. */
  readonly inUse: Readonly<Record<string, number>>;
  /** Keys of this process's file that seal nothing, and are not the first: they can be taken out of the file. */
  readonly canGo: readonly string[];
  /** Keys that seal something and are not in the file: what they seal cannot be read here. */
  readonly missing: readonly string[];
};

export type LedgerResealed = SealingState & {
  readonly shape: 'ledger-reseal/1';
  /** How many were sealed anew, by this run. */
  readonly dataKeys: number;
  readonly values: number;
};

export type ResealPorts = {
  readonly ledger: Pick<UpkeepLedger, 'useDataKeys' | 'sealingKeysInUse' | 'reseal'>;
  /** Ids of the sealing keys of this process's file, the one that seals first. */
  readonly keys: readonly string[];
  readonly pause: (ms: number) => Promise<void>;
  /** Told how far it is. */
  readonly progress: (text: string) => void;
};

/** What seals the ledger, and which keys of the file can go. */
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
 * Seals the whole ledger with the first sealing key of the file, while everything runs: data keys anew, and what was sealed before there
 * were any. Repeatable, and goes on where it was cut short, since what is sealed so is passed by.
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
    progress(`sealed anew: ${dataKeys} data keys, ${values} values`);
  }
  return { shape: 'ledger-reseal/1', dataKeys, values, ...(await sealingState(ledger, keys)) };
}
