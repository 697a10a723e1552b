/**
 * Measures what one tenant's senders can cost a receiver at the allowed rates: processor time of each kind of message without the sender's
 * part, and the share of a core at the allowed rate. `npm run bench:receiver [-- --rounds N]`.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { startEmbeddedPostgres } from '../playground/postgres/start.ts';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { migrate } from '../src/ledger/migrations/migrate.ts';
import { openLedger } from '../src/ledger/open.ts';
import { listen } from '../src/platform/http-listen.ts';
import { createSealing } from '../src/platform/sealing.ts';
import { SENDER_RATES } from '../src/webhooks/sender-limits.ts';
import {
  aReceiver,
  notification,
  numbered,
  outboundMessage,
  PATH,
  rememberingIntake,
} from '../test/support/stack/webhooks.ts';

const { rounds: ROUNDS } = scriptOptions('bench:receiver');
const UNBOUNDED = { perSecond: 1e9, burst: 1e9 };
const SPENT = { perSecond: 1e-9, burst: 1e-9 };

let sent = 0;
const of = (records: number): string =>
  outboundMessage({
    notifications: Array.from({ length: records }, () => {
      sent += 1;
      return notification(sent, { id: numbered('006', sent) });
    }),
  });
const ONE = of(1);
const LONG = of(1).replace('</soapenv:Body>', `${' '.repeat(127 * 1024)}</soapenv:Body>`);
/** The kinds of messages, with the allowed rate of each per second. */
const KINDS = [
  {
    what: 'a record in a message',
    make: () => of(1),
    perSecond: SENDER_RATES.records.perSecond,
    isTaken: true,
  },
  {
    what: 'a hundred records',
    make: () => of(100),
    perSecond: SENDER_RATES.records.perSecond / 100,
    isTaken: true,
  },
  {
    what: 'the same record again',
    make: () => ONE,
    perSecond: SENDER_RATES.records.perSecond,
    isTaken: true,
  },
  { what: 'a long message', make: () => LONG, perSecond: SENDER_RATES.requests.perSecond, isTaken: true },
  {
    what: 'a hundred records that are put off',
    make: () => of(100),
    perSecond: SENDER_RATES.requests.perSecond,
    isTaken: false,
  },
] as const;

const folder = await mkdtemp(join(tmpdir(), 'lockstep-receiver-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
try {
  await migrate(postgres.url);
  const sealing = createSealing({ id: 'bench', bytes: randomBytes(32) });
  const ledger = await openLedger({ url: postgres.url, sealing });
  const { wake, requestStream, areRemotesHealthy } = rememberingIntake().intake;
  const intake = {
    ...{ wake, requestStream, areRemotesHealthy, ready: () => ledger.ping() },
    recordDeliveries: ledger.recordDeliveries.bind(ledger),
    markSignalled: ledger.markSignalled.bind(ledger),
  };
  const nothing = await listen(
    new Hono().post('*', (context) => context.text('')),
    { host: '127.0.0.1', port: 0 },
  );
  for (const { what, make, perSecond, isTaken } of KINDS) {
    const rates = { requests: UNBOUNDED, records: isTaken ? UNBOUNDED : SPENT };
    const receiver = await aReceiver({
      intake,
      rates,
      limits: {
        ...{ storeMs: 10_000, holdMs: 0, mostRecords: 1e9 },
        ...{
          wakes: UNBOUNDED,
          wakesUnproven: UNBOUNDED,
          laneFrom: null,
          massesStored: 1e9,
          massesWoken: 1e9,
          storesFirstMs: 0,
        },
      },
    });
    await costOf(receiver.url, make);
    const ms = (await costOf(receiver.url, make)) - (await costOf(nothing.url, make));
    const share = ((ms * perSecond) / 10).toFixed(1);
    console.log(`${what}: ${ms.toFixed(2)} ms, ${perSecond} a second take ${share} % of a core`);
    await receiver.close();
  }
  await nothing.close();
  await ledger.close();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Milliseconds of this process's processor time for one message, including the sender's part. */
async function costOf(url: string, make: () => string): Promise<number> {
  const messages = Array.from({ length: ROUNDS }, make);
  const before = process.cpuUsage();
  for (const body of messages) {
    const answer = await fetch(`${url}/hooks/salesforce/${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body,
    });
    await answer.arrayBuffer();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / ROUNDS;
}
