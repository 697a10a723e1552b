import { setTimeout as delay } from 'node:timers/promises';
import { resealLedger, type SealingState, sealingState } from '../../operator/reseal-ledger.ts';
import { loadSealingKeys } from '../../platform/sealing-key.ts';
import { type OperatorTools, operatorVerb } from '../operator-verb.ts';
import { withSubverbs } from '../with-subverbs.ts';

/** By id alone. */
async function keysOf({ context }: OperatorTools): Promise<readonly string[]> {
  return (await loadSealingKeys(context.settings().sealingKeyFile)).map(({ id }) => id);
}

function sealingLines({ inUse, canGo, missing }: SealingState): readonly string[] {
  return [
    ...Object.entries(inUse).map(([id, n]) => `The sealing key ${id} seals ${n} keys or values.`),
    ...canGo.map((id) => `The sealing key ${id} seals nothing any more: take its line out of the file.`),
    ...missing.map((id) => `The sealing key ${id} is not in the file: what it seals cannot be read here.`),
  ];
}

const addShow = operatorVerb({
  name: 'ledger',
  description: 'show the ledger as a whole, seal it with a new key, and tell it that it was restored',
  example: `Example:
  lockstep ledger                  its size, and which sealing keys seal it
  lockstep ledger reseal           with the first key of the file, while everything runs
  lockstep ledger restored         after it was brought back from a backup, before workers start

Exits with 2 where it is sealed by a key that this process does not have.`,
  run: async (tools) => {
    const ledger = await tools.ledger();
    const bytes = await ledger.sizeBytes();
    return { shape: 'ledger/1', bytes, ...(await sealingState(ledger, await keysOf(tools))) };
  },
  lines: ({ bytes, ...sealing }) => [
    `The ledger takes ${Math.ceil(bytes / 1_048_576)} MB.`,
    ...sealingLines(sealing),
  ],
  needsAttention: ({ missing }) => missing.length > 0,
});

const addReseal = operatorVerb({
  name: 'reseal',
  description: 'seal the ledger with the first sealing key of the file, while everything runs',
  example: `Example:
  lockstep ledger reseal

First write the new key on a line above the old one and give the file to every process: both open, the first seals. Ctrl-C
leaves what is done as it is; the next run goes on. It ends by telling which keys can go. Exits with 2 where an old key
still seals something: run it again.`,
  run: async (tools) => {
    const [ledger, keys] = [await tools.ledger(), await keysOf(tools)];
    const pause = async (ms: number): Promise<void> => void (await delay(ms));
    return resealLedger({ ledger, keys, pause, progress: (text) => tools.progress(text) });
  },
  lines: ({ dataKeys, values, ...sealing }) => [
    `Sealed anew: ${dataKeys} data keys and ${values} values.`,
    ...sealingLines(sealing),
  ],
  needsAttention: ({ inUse }) => Object.keys(inUse).length > 1,
});

const addRestored = operatorVerb({
  name: 'restored',
  description: 'tell the ledger that it was brought back from a backup',
  example: `Example:
  lockstep ledger restored

Run it once after the restore, before workers and receivers start. Both sides may have agreed on more since the backup was made: a
field in which they differ then goes by what their stamps tell for certain, and waits for a person otherwise. Repeatable.`,
  run: async (tools) => {
    const at = tools.now();
    return { shape: 'ledger-restored/1', at, records: await (await tools.ledger()).noteRestored(at) };
  },
  lines: ({ records }) => [
    `${records} records are looked at on both sides before anything of theirs is written. Start workers and receivers.`,
  ],
});

/** `lockstep ledger`: what is about the ledger as a whole. */
export const addLedger = withSubverbs(addShow, addReseal, addRestored);
