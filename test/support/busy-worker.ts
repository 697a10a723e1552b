/** A thread that writes to a ledger as fast as a busy worker's records do, until it gets a message. Started with a console's settings. */
import { parentPort, workerData } from 'node:worker_threads';
import { openOwnLedger } from '../../src/cli/runtime.ts';
import { fakeContext } from './cli-context.ts';
import { at, BASE, DECISION } from './ledger/ledger-samples.ts';

const RECORDS = 500;
const AT_ONCE = 10;
const ledger = await openOwnLedger(fakeContext(workerData as Record<string, string>).context.settings());
let isOver = false;
let done = 0;
parentPort?.once('message', () => {
  isOver = true;
});

async function settleOne(n: number): Promise<void> {
  const key = `B${n % RECORDS}`;
  await ledger.resolveLink('other', { crmId: key, vendorId: `V${key}` }, at(n));
  await ledger.settle('other', key, { at: at(n), state: 'in-sync', base: BASE } as never);
  await ledger.addToJournal('other', key, { at: at(n), kind: 'decision', summary: {}, decisions: [DECISION] });
  done += 1;
}

await settleOne(0);
parentPort?.postMessage('busy');
for (let n = 0; !isOver; n += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => settleOne(n + k)));
await ledger.close();
parentPort?.postMessage(done);
