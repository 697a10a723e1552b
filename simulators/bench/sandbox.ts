/**
 * How quick the sandbox answers with 100,000 orders: a search by each criterion and the detail of an order, each
 * against an empty route of the same server, in turns in the same run. Ends with 1 when a p99 is more than five times
 * that of the empty route. `npm run bench:sandbox -- --orders 20000` takes another number of orders.
 */

import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { scriptOptions } from '../../scripts/setup/script-options.mjs';
import { startVendorSimulator } from '../src/vendor/start.ts';

const WARM_UP_ROUNDS = 300;
const ROUNDS = 1500;
const MAX_RATIO = 5;
const DAY_MS = 86_400_000;
const ORDERS = '/order/api4partners';

type Call = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string };
type Case = { readonly name: string; readonly call: (round: number) => Call };
type Sample = {
  readonly transaction: { readonly id: string };
  readonly billToPoReference: string;
  readonly licenseChargeConditions: readonly {
    readonly onlineInstanceSeatId?: string;
    readonly licenseChargeBreakdown: readonly { readonly installedBaseNumber: string }[];
  }[];
};

const { orders } = scriptOptions('bench:sandbox');
const apiKey = randomBytes(32).toString('hex');
const startedAt = performance.now();
const sandbox = await startVendorSimulator({ apiKey, orders });
const startMs = performance.now() - startedAt;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
try {
  process.exitCode = await bench();
} finally {
  agent.destroy();
  await sandbox.close();
}

async function bench(): Promise<number> {
  const quota = JSON.stringify({ limit: 1_000_000_000, windowSeconds: 60 });
  await fetch(`${sandbox.adminUrl}/quota`, { method: 'PUT', body: quota });
  const empty: Case = { name: 'empty route', call: () => ({ method: 'GET', path: '/healthz' }) };
  const cases = [empty, ...casesOf(await findSamples())];
  const times = new Map(cases.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const { name, call } of cases) {
      const tookMs = await timed(call(round));
      if (round >= WARM_UP_ROUNDS) times.get(name)?.push(tookMs);
    }
  }
  return report(times, empty.name);
}

function casesOf(samples: readonly Sample[]): readonly Case[] {
  const sample = (round: number) => samples[round % samples.length] as Sample;
  const search = (name: string, criteria: (round: number) => object): readonly Case[] =>
    ['v0', 'v1'].map((version) => ({
      name: `${version} search by ${name}`,
      call: (round) => ({
        method: 'POST',
        path: `${ORDERS}/${version}/orders/search`,
        body: JSON.stringify(criteria(round)),
      }),
    }));
  const range = (days: number) => (round: number) => {
    const fromMs = Date.now() - ((round % 150) + days) * DAY_MS;
    return { from: new Date(fromMs).toISOString(), to: new Date(fromMs + days * DAY_MS).toISOString() };
  };
  const firstLine = (round: number) => sample(round).licenseChargeConditions[0];
  return [
    ...search('creationDateTime', (round) => ({ creationDateTime: range(7)(round) })),
    ...search('bookingDateTime', (round) => ({ bookingDateTime: range(7)(round) })),
    ...search('lastUpdateDateTime', (round) => ({ lastUpdateDateTime: range(3)(round) })),
    ...search('installedBaseNumber', (round) => ({
      installedBaseNumber: firstLine(round)?.licenseChargeBreakdown[0]?.installedBaseNumber,
    })),
    ...search('onlineInstanceSeatId', (round) => ({
      onlineInstanceSeatId: firstLine(round)?.onlineInstanceSeatId ?? 'none',
    })),
    ...search('billToPoReferences', (round) => ({ billToPoReferences: [sample(round).billToPoReference] })),
    ...search('time and transactionType', (round) => ({
      creationDateTime: range(7)(round),
      transactionType: 'RN',
    })),
    ...['v0', 'v1'].map((version) => ({
      name: `${version} order detail`,
      call: (round: number): Call => ({
        method: 'GET',
        path: `${ORDERS}/${version}/orders/${sample(round).transaction.id}`,
      }),
    })),
  ];
}

/** Orders of the world, read as a client would. */
async function findSamples(): Promise<readonly Sample[]> {
  const from = new Date(Date.now() - 60 * DAY_MS).toISOString();
  const headers = { 'X-API-Key': apiKey };
  const call = async (path: string, body?: object) => {
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${sandbox.url}${ORDERS}/v1/orders/${path}`, init);
    return ((await answer.json()) as { readonly data: readonly Sample[] }).data;
  };
  const found = await call('search?top=100', { creationDateTime: { from } });
  const all = await Promise.all(found.map(({ transaction }) => call(transaction.id)));
  // What v0 does not show would answer 404 there.
  return all
    .flat()
    .filter((order) => (order as unknown as { transaction: { status: string } }).transaction.status !== 'DFTE');
}

function timed({ method, path, body }: Call): Promise<number> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
    const sent = request(`${sandbox.url}${path}`, { method, agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - startMs);
        else reject(new Error(`${method} ${path} answered ${answer.statusCode}.`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

function report(times: ReadonlyMap<string, readonly number[]>, emptyName: string): number {
  const rows = Array.from(times, ([name, all]) => ({
    name,
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
  }));
  const empty = rows.find(({ name }) => name === emptyName);
  if (empty === undefined) throw new Error('The empty route was not measured.');
  process.stdout.write(`${orders} orders, started in ${startMs.toFixed(0)} ms, ${ROUNDS} requests each\n`);
  for (const { name, p50, p99 } of rows) {
    const ratios = `${(p50 / empty.p50).toFixed(1)}x  ${(p99 / empty.p99).toFixed(1)}x`;
    process.stdout.write(`${name.padEnd(36)} p50 ${p50.toFixed(3)} ms  p99 ${p99.toFixed(3)} ms  ${ratios}\n`);
  }
  const slow = rows.filter(({ p99 }) => p99 > MAX_RATIO * empty.p99).map(({ name }) => name);
  const verdict = slow.length === 0 ? `all within ${MAX_RATIO}x` : `slower than ${MAX_RATIO}x: ${slow.join(', ')}`;
  process.stdout.write(`p99 against the empty route: ${verdict}\n`);
  return slow.length === 0 ? 0 : 1;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
