/**
 * A large ledger under a steady load: many tenants and links in one PostgreSQL, without Temporal and without remote systems. First measures
 * the load with few tenants, then fills the ledger and measures the load again: `npm run bench:scale [-- --tenants N --links N --seconds N
 * --rate N]`. Exit code 2 if a statement reads half as many pages more in the large ledger than in the small one, or if the ledger falls
 * behind.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../playground/postgres/start.ts';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import type { Ledger } from '../src/ledger/ledger.ts';
import { migrate } from '../src/ledger/migrations/migrate.ts';
import { openLedger } from '../src/ledger/open.ts';
import { createSealing } from '../src/platform/sealing.ts';
import { LEDGER_CONNECTIONS } from '../src/worker/slots.ts';
import { isHeld, type Measured, table } from './engine/table.ts';
import { fillLedger, usualBeside } from './fleet/fill-ledger.ts';
import { type Counters, countersOf, pagesACall, serverMb } from './scale/counters.ts';
import { load } from './scale/load.ts';

/** The number of tenants in the small ledger: enough for the changes of a second, each of another tenant. */
const FEW = 200;
/** For how many seconds the small ledger is under load, at most. */
const MOST_FEW_SECONDS = 60;
/** How many pages more a statement may read in the large ledger. Each index may have one level more. */
const MOST_PAGES = 1.5;
/** A statement that reads fewer pages in the small ledger counts as if it read these: a further level of an index is no growth. */
const LEAST_PAGES = 8;
/** How much of a statement is shown. */
const SHOWN = 160;
/** A column that stands for the encrypted values of a link, which filled rows lack. */
const VALUES = `alter table links add column bench_values bytea default decode(repeat('5a', 512), 'hex')`;
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  shared_buffers: '2GB',
  max_wal_size: '16GB',
  // After a checkpoint, the write-ahead log gets a full image of each page that changes.
  checkpoint_timeout: '1h',
};

const { tenants: count, links: all, seconds, rate, json } = scriptOptions('bench:scale');
const links = Math.ceil(all / count);
const pairs = Array.from({ length: links }, (_, n) => ({ crmId: crmId(n), vendorId: `DS-${n}` }));
const beganMs = performance.now();
const rows: Measured[] = [];
const home = await mkdtemp(join(tmpdir(), 'lockstep-scale-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'data'), settings: SETTINGS });
const client = new pg.Client({ connectionString: postgres.url });
client.on('error', () => undefined);
try {
  await client.connect();
  await migrate(postgres.url);
  await client.query('create extension pg_stat_statements');
  await client.query(VALUES);
  const sealing = createSealing({ id: 'bench', bytes: randomBytes(32) });
  const ledger = await openLedger({ url: postgres.url, sealing, poolSize: LEDGER_CONNECTIONS });
  try {
    await fill(0, FEW);
    const small = await pagesUnderLoad(ledger, FEW, Math.min(seconds, MOST_FEW_SECONDS));
    await fill(FEW, count);
    const large = await pagesUnderLoad(ledger, count, seconds);
    rows.push(...growth(small, large));
  } finally {
    await ledger.close();
  }
} finally {
  await client.end().catch(() => undefined);
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
}
process.stdout.write(json ? `${JSON.stringify(rows)}\n` : table(rows));
process.exitCode = rows.every(isHeld) ? 0 : 2;

async function fill(from: number, to: number): Promise<void> {
  await fillLedger(postgres.url, {
    tenants: namesOf(from, to),
    pairs,
    beside: { ...usualBeside(links), journal: 0, auditMarks: 0 },
    ...{ sealedBytes: 300, at: new Date().toISOString(), like: null },
  });
  report(`${to} tenants have ${to * links} links`);
}

/** Loads the first `some` tenants' ledger. Returns the pages that a call of each statement read. */
async function pagesUnderLoad(ledger: Ledger, some: number, planned: number): Promise<ReadonlyMap<string, number>> {
  const tenants = namesOf(0, some).map((name) => ({ name, links: pairs }));
  const before = await countersOf(client, postgres.pid);
  const done = await load(ledger, tenants, { rate, seconds: planned });
  const after = await countersOf(client, postgres.pid);
  rows.push(...costs(`${some} tenants`, { before, after, planned, dueLinks: await dueLinks(), ...done }));
  report(`${some} tenants: ${done.changes} changes in ${Math.round(done.took)} s`);
  return pagesACall(before, after);
}

type Load = {
  readonly before: Counters;
  readonly after: Counters;
  readonly changes: number;
  /** Seconds. */
  readonly planned: number;
  readonly took: number;
  readonly dueLinks: number;
};

function costs(scenario: string, { before, after, changes, planned, took, dueLinks }: Load): readonly Measured[] {
  const updates = after.updates - before.updates;
  const wal = (after.walBytes - before.walBytes) / changes;
  const ms = (after.processorMs - before.processorMs) / changes;
  const facts: readonly (readonly [string, number, number | null])[] = [
    ['changes a second', changes / took, null],
    ['changed links that are still due', dueLinks, 0],
    ['seconds longer than planned', took - planned, Math.max(1, planned / 20)],
    ["ms of PostgreSQL's processor time a change", ms, null],
    ['processors for 1,000 changes a second, computed', ms, null],
    ['KB of write-ahead log a change', wal / 1_024, null],
    ['MB of write-ahead log a second at 1,000 changes, computed', (1_000 * wal) / 2 ** 20, null],
    [
      '% of updates of links and plans that change no index',
      (100 * (after.hotUpdates - before.hotUpdates)) / updates,
      null,
    ],
    ['runs of autovacuum on links and plans', after.autovacuums - before.autovacuums, null],
    ['dead rows of links and plans for each live one', after.deadRows / after.liveRows, null],
    ['GB on disk', after.databaseBytes / 2 ** 30, null],
    ['MB of memory', serverMb(postgres.pid), null],
  ];
  return facts.map(([what, value, limit]) => ({ scenario, what, measured: value, limit }));
}

async function dueLinks(): Promise<number> {
  const { rows } = await client.query('select count(*) as due from links where due_since is not null');
  return Number(rows[0].due);
}

/** For each statement, how many times more pages a call reads in the large ledger. */
function growth(small: ReadonlyMap<string, number>, large: ReadonlyMap<string, number>): readonly Measured[] {
  const scenario = 'pages that a call reads, times those of the small ledger';
  return [...large].flatMap(([query, pages]) => {
    const before = small.get(query);
    const what = query.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN);
    if (before === undefined) return [];
    return [{ scenario, what, measured: pages / Math.max(before, LEAST_PAGES), limit: MOST_PAGES }];
  });
}

function namesOf(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, n) => `tenant-${from + n}`);
}

function crmId(n: number): string {
  return `006${String(n).padStart(12, '0')}AAA`;
}

function report(line: string): void {
  const seconds = (performance.now() - beganMs) / 1_000;
  process.stderr.write(`${seconds.toFixed(0).padStart(6)} s  ${line}\n`);
}
