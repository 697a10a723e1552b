import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/ledger/embedded/start.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { migrate } from '../../src/ledger/migrate.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { createSealing, type Sealing } from '../../src/platform/sealing.ts';

/**
 * A real PostgreSQL for tests: one server per test file, started on first use in a folder that only we may enter,
 * stopped after the file's last test. Every database in it is fresh.
 */
let server: Promise<EmbeddedPostgres> | undefined;

export type TestLedger = {
  readonly ledger: Ledger;
  /** The database's address, for looking at it past the ledger. */
  readonly url: string;
  readonly sealing: Sealing;
  /** Another ledger on the same database, as another process would have; closed after the file's last test. */
  open(poolSize?: number): Promise<Ledger>;
  /** Runs one statement past the ledger. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
};

/** A migrated, empty database and a ledger on it; call it once at the top of a test file or in a `beforeAll`. */
export async function withLedger(): Promise<TestLedger> {
  const url = await freshDatabase();
  await migrate(url);
  const sealing = createSealing({ id: 'test', bytes: randomBytes(32) });
  async function open(poolSize = 5): Promise<Ledger> {
    const ledger = await openLedger({ url, sealing, poolSize });
    afterAll(() => ledger.close());
    return ledger;
  }
  return {
    ledger: await open(10),
    url,
    sealing,
    open,
    query: (text, values) => queryOnce(url, text, values),
  };
}

/** The address of an empty database without any table. */
export async function freshDatabase(): Promise<string> {
  const { url } = await testServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await queryOnce(url, `create database ${name}`);
  const fresh = new URL(url);
  fresh.pathname = `/${name}`;
  return fresh.href;
}

export async function queryOnce(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

function testServer(): Promise<EmbeddedPostgres> {
  server ??= startTestServer();
  return server;
}

async function startTestServer(): Promise<EmbeddedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-postgres-'));
  const started = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
  // Registered first, so that it runs last: hooks run in reverse.
  afterAll(async () => {
    await started.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return started;
}
