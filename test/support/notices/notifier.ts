/**
 * A process that looks at one tenant's states and sends the notices, over and over, until it is killed. Its order comes as JSON in its
 * only argument. Its clock runs faster than time, so that the claims of a killed process end soon.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openLedger } from '../../../src/ledger/open.ts';
import { deliverDue } from '../../../src/notices/deliver.ts';
import type { Channel } from '../../../src/notices/read-notices-file.ts';
import { sendMessage } from '../../../src/notices/send.ts';
import { watchStates } from '../../../src/operator/notices/watch-states.ts';
import { createSealing } from '../../../src/platform/sealing.ts';
import { generatedSecret } from '../../../src/platform/secret.ts';
import { aTenant } from '../stack/webhooks.ts';

export type NotifierOrder = {
  readonly database: string;
  readonly sealingKey: string;
  readonly tenant: string;
  readonly url: string;
  readonly secret: string;
  /** The common start of the clock, in epoch milliseconds, and how many times faster it runs. */
  readonly startMs: number;
  readonly speed: number;
};

const order = JSON.parse(process.argv[2] ?? '') as NotifierOrder;
const now = (): string => new Date(order.startMs + (Date.now() - order.startMs) * order.speed).toISOString();
const channel: Channel = {
  name: 'ops',
  settings: { type: 'webhook', address: order.url, secret: 'file:secret', private: true },
  secrets: { secret: generatedSecret(order.secret) },
};
const sealing = createSealing({ id: 'test', bytes: Buffer.from(order.sealingKey, 'base64') });
const ledger = await openLedger({ url: order.database, sealing, poolSize: 2 });
const watch = {
  ledger,
  rules: { channels: [{ name: 'ops', quiet: null }], rules: [], settleMs: 0 },
  digests: [],
  ...{ console: null, giveUpMs: 14 * 86_400_000 },
};
const served = [{ tenant: order.tenant, served: aTenant({ tenant: order.tenant }) }];
const delivery = { ledger, channels: [channel], send: sendMessage, now, onFailure: () => undefined };
process.stdout.write('ready\n');
for (;;) {
  await watchStates(watch, served, now()).catch(() => undefined);
  await deliverDue(delivery, new AbortController().signal).catch(() => undefined);
  await pause(5);
}
