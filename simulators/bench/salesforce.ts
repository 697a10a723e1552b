/**
 * How quick the Salesforce simulator answers what sync connectors send most: 200 rows by collection, a query of 2,000
 * rows, a composite of 25, each against an empty route of the same server, in turns in the same run. Tells the ratios;
 * it sets no bound, since a row costs what a row costs.
 */

import { Agent, request } from 'node:http';
import { type SalesforceSimulator, startSalesforceSimulator } from '../src/salesforce/start.ts';

const WARM_UP_ROUNDS = 5;
const ROUNDS = 40;
const QUERY_ROWS = 2000;
const COLLECTION_ROWS = 200;
const COMPOSITE_PARTS = 25;
const DATA = '/services/data/v67.0';

type Call = { readonly method: 'GET' | 'POST' | 'PATCH'; readonly path: string; readonly body?: object };
type Case = { readonly name: string; readonly call: (round: number) => Call };

const simulator = await startSalesforceSimulator({ seed: 'empty' });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
try {
  await bench(simulator);
} finally {
  agent.destroy();
  await simulator.close();
}

async function bench({ adminUrl }: SalesforceSimulator): Promise<void> {
  const quota = JSON.stringify({ limit: 1_000_000_000, windowSeconds: 60 });
  await fetch(`${adminUrl}/quota`, { method: 'PUT', body: quota });
  const ids: string[] = [];
  while (ids.length < QUERY_ROWS) {
    const made = JSON.parse((await send(collection('POST', records(0)))).text) as { id: string }[];
    ids.push(...made.map(({ id }) => id));
  }
  const cases: readonly Case[] = [
    { name: 'empty route', call: () => ({ method: 'GET', path: '/healthz' }) },
    {
      name: `update of ${COLLECTION_ROWS} rows by collection`,
      call: (round) => collection('PATCH', records(round, ids)),
    },
    { name: `query of ${QUERY_ROWS} rows`, call: queryCall },
    { name: `composite of ${COMPOSITE_PARTS} reads`, call: () => composite(ids) },
  ];
  const times = new Map(cases.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const { name, call } of cases) {
      const { tookMs } = await send(call(round));
      if (round >= WARM_UP_ROUNDS) times.get(name)?.push(tookMs);
    }
  }
  report(times);
}

function records(round: number, ids?: readonly string[]): readonly object[] {
  return Array.from({ length: COLLECTION_ROWS }, (_, i) => ({
    attributes: { type: 'Account' },
    ...(ids !== undefined && { Id: ids[i] }),
    Name: `Account ${round} ${i}`,
  }));
}

function collection(method: 'POST' | 'PATCH', rows: readonly object[]): Call {
  return { method, path: `${DATA}/composite/sobjects`, body: { allOrNone: true, records: rows } };
}

function queryCall(): Call {
  const soql = `SELECT Id, Name, SystemModstamp FROM Account ORDER BY SystemModstamp, Id LIMIT ${QUERY_ROWS}`;
  return { method: 'GET', path: `${DATA}/query?q=${encodeURIComponent(soql)}` };
}

function composite(ids: readonly string[]): Call {
  const compositeRequest = ids.slice(0, COMPOSITE_PARTS).map((id, i) => ({
    method: 'GET',
    url: `${DATA}/sobjects/Account/${id}`,
    referenceId: `r${i}`,
  }));
  return { method: 'POST', path: `${DATA}/composite`, body: { compositeRequest } };
}

function send({ method, path, body }: Call): Promise<{ readonly tookMs: number; readonly text: string }> {
  const startMs = performance.now();
  const headers = {
    authorization: `Bearer ${simulator.user.accessToken}`,
    'content-type': 'application/json',
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${simulator.url}${path}`, { method, agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve({ tookMs: performance.now() - startMs, text });
        else reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    sent.once('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function report(times: ReadonlyMap<string, readonly number[]>): void {
  const rows = Array.from(times, ([name, all]) => ({
    name,
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
  }));
  const emptyMs = rows[0]?.p50 ?? Number.NaN;
  process.stdout.write(`Salesforce simulator, ${ROUNDS} requests each\n`);
  for (const { name, p50, p99 } of rows) {
    const ratio = `${(p50 / emptyMs).toFixed(1)}x`;
    process.stdout.write(`${name.padEnd(36)} p50 ${p50.toFixed(3)} ms  p99 ${p99.toFixed(3)} ms  ${ratio}\n`);
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
