import { counted } from '../domain/values/counted.ts';
import type { SealingState } from '../operator/ledger/reseal-ledger.ts';
import { loadSealingKeys } from '../platform/sealing-key.ts';
import type { OperatorTools } from './operator-tools.ts';

/** Ids of the sealing keys (encryption keys) in this process's key file. The first key encrypts new data. */
export async function sealingKeyIds({ context }: OperatorTools): Promise<readonly string[]> {
  return (await loadSealingKeys(context.settings().sealingKeyFile)).map(({ id }) => id);
}

export function sealingLines({ inUse, canGo, missing }: SealingState): readonly string[] {
  return [
    ...Object.entries(inUse).map(
      ([id, n]) => `The sealing key ${id} seals ${counted(n, 'key or value', 'keys or values')}.`,
    ),
    ...canGo.map((id) => `The sealing key ${id} seals nothing any more: take its line out of the file.`),
    ...missing.map((id) => `The sealing key ${id} is not in the file: what it seals cannot be read here.`),
  ];
}
