import { counted } from '../../domain/values/counted.ts';
import { noteLedgerRestored, showLedger } from '../../operator/ledger/show-ledger.ts';
import { operatorVerb } from '../operator-verb.ts';
import { sealingKeyIds, sealingLines } from '../sealing-lines.ts';
import { withSubverbs } from '../with-subverbs.ts';

const addShow = operatorVerb({
  name: 'ledger',
  example: `Example:
  lockstep ledger                  shows the size, and the sealing keys in use
  lockstep ledger restored         run after a restore from a backup, before workers start

Exits with 2 when the ledger is sealed with a key that this process lacks.`,
  run: async (tools) => showLedger(await tools.ledger(), await sealingKeyIds(tools)),
  effect: 'reads',
  lines: ({ bytes, ...sealing }) => [`The ledger takes ${Math.ceil(bytes / 1_048_576)} MB.`, ...sealingLines(sealing)],
  needsAttention: ({ missing }) => missing.length > 0,
});

const addRestored = operatorVerb({
  name: 'restored',
  description: 'mark the ledger as restored from a backup',
  example: `Example:
  lockstep ledger restored

Run it once after the restore, before workers and receivers start. Both sides may have agreed on new values since the backup. If a
field differs, the later change wins where the sides' times prove which one it is; otherwise a person decides. Repeatable.`,
  run: async (tools) => noteLedgerRestored(await tools.ledger(), tools.now()),
  effect: () => ({}),
  lines: ({ records }) => [
    `Lockstep reads ${counted(records, 'record')} on both sides before it writes to them. Start workers and receivers.`,
  ],
});

/**
 * `lockstep ledger`: shows the size and the sealing keys (encryption keys) of the ledger (Lockstep's database), or stores in it that it was
 * restored from a backup.
 */
export const addLedger = withSubverbs(addShow, addRestored);
