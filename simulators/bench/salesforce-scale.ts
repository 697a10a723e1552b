/**
 * What a page in the order (SystemModstamp, Id), after a position in the middle, costs in an object of 1,000,000 rows, against
 * one of 10,000 rows of the same org, in turns in the same run; and the memory that the org takes. Ends with 1 when the
 * page of many rows takes more than twice as long, or the process more than 2 GB. `--rows N` takes another number.
 */

import { request } from 'undici';
import { scriptOptions } from '../../scripts/setup/script-options.mjs';
import { type SalesforceSimulator, startSalesforceSimulator } from '../src/salesforce/start.ts';

const FEW_ROWS = 10_000;
const ROWS_OF_A_JOB = 50_000;
const PAGE_ROWS = 200;
const WARM_UP_ROUNDS = 5;
const ROUNDS = 60;
const MAX_RATIO = 2;
const MAX_MB = 2048;
const DATA = '/services/data/v67.0';

const { rows: many } = scriptOptions('bench:sandbox');
const simulator = await startSalesforceSimulator({ seed: 'empty' });
try {
  process.exitCode = await bench(simulator);
} finally {
  await simulator.close();
}

async function bench({ adminUrl }: SalesforceSimulator): Promise<number> {
  const quota = JSON.stringify({ limit: 1_000_000_000, windowSeconds: 60 });
  await fetch(`${adminUrl}/quota`, { method: 'PUT', body: quota });
  const startedAt = performance.now();
  await load('Product2', FEW_ROWS);
  await load('Account', many);
  const loadedS = (performance.now() - startedAt) / 1000;
  const times = { Product2: [] as number[], Account: [] as number[] };
  const positions = { Product2: await middle('Product2'), Account: await middle('Account') };
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const name of ['Product2', 'Account'] as const) {
      const from = performance.now();
      const found = await query(pageAfter(name, positions[name]));
      if (found.length !== PAGE_ROWS) throw new Error(`a page of ${found.length} rows`);
      if (round >= WARM_UP_ROUNDS) times[name].push(performance.now() - from);
    }
  }
  return report(times.Product2, times.Account, loadedS);
}

/** Loads rows by jobs of Bulk API 2.0, each forgotten when it is done. */
async function load(object: string, rows: number): Promise<void> {
  for (let at = 0; at < rows; at += ROWS_OF_A_JOB) {
    const size = Math.min(ROWS_OF_A_JOB, rows - at);
    const names = Array.from({ length: size }, (_, i) => `${object} ${at + i}`);
    const job = await call<{ id: string }>('POST', '/jobs/ingest', {
      object,
      operation: 'insert',
      contentType: 'CSV',
    });
    await call('PUT', `/jobs/ingest/${job.id}/batches`, `Name\n${names.join('\n')}\n`);
    await call('PATCH', `/jobs/ingest/${job.id}`, { state: 'UploadComplete' });
    for (;;) {
      const { state } = await call<{ state: string }>('GET', `/jobs/ingest/${job.id}`);
      if (state === 'JobComplete') break;
      if (state === 'Failed') throw new Error(`the rows of ${object} were refused`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await call('DELETE', `/jobs/ingest/${job.id}`);
  }
}

type Position = { readonly Id: string; readonly SystemModstamp: string };

async function middle(object: string): Promise<Position> {
  const [position] = await query(`SELECT Id, SystemModstamp FROM ${object} WHERE Name = '${object} ${FEW_ROWS / 2}'`);
  if (position === undefined) throw new Error('no row in the middle');
  return position;
}

function pageAfter(object: string, { Id, SystemModstamp }: Position): string {
  const stamp = SystemModstamp.replace('+0000', 'Z');
  return (
    `SELECT Id, SystemModstamp, Name FROM ${object} ` +
    `WHERE (SystemModstamp > ${stamp} OR (SystemModstamp = ${stamp} AND Id > '${Id}')) ` +
    `ORDER BY SystemModstamp, Id LIMIT ${PAGE_ROWS}`
  );
}

async function query(soql: string): Promise<readonly Position[]> {
  const { records } = await call<{ records: Position[] }>('GET', `/query?q=${encodeURIComponent(soql)}`);
  return records;
}

async function call<T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object | string,
): Promise<T> {
  const isText = typeof body === 'string';
  const answer = await request(`${simulator.url}${DATA}${path}`, {
    method,
    // A server that is busy loading may close what is idle; each call has a connection of its own.
    reset: true,
    headers: {
      authorization: `Bearer ${simulator.user.accessToken}`,
      'content-type': isText ? 'text/csv' : 'application/json',
    },
    body: body === undefined || isText ? (body ?? null) : JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300)
    throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 200)}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

function report(few: readonly number[], lots: readonly number[], loadedS: number): number {
  const [fewMs, manyMs] = [percentile(few, 0.5), percentile(lots, 0.5)];
  const residentMb = process.memoryUsage().rss / 1_048_576;
  const heapMb = process.memoryUsage().heapUsed / 1_048_576;
  process.stdout.write(
    `Salesforce simulator, ${many} rows loaded in ${loadedS.toFixed(0)} s, ${residentMb.toFixed(0)} MB resident, ${heapMb.toFixed(0)} MB of heap\n` +
      `page of ${PAGE_ROWS} after a position, of ${FEW_ROWS} rows   p50 ${fewMs.toFixed(3)} ms\n` +
      `page of ${PAGE_ROWS} after a position, of ${many} rows   p50 ${manyMs.toFixed(3)} ms  ${(manyMs / fewMs).toFixed(2)}x\n`,
  );
  return manyMs <= MAX_RATIO * fewMs && residentMb <= MAX_MB ? 0 : 1;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
