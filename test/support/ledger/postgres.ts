import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { createSealing, type Sealing } from '../../../src/platform/sealing.ts';
import { MIGRATED } from './migrated.ts';

export type TestLedger = {
  readonly ledger: Ledger;
  /** The database's address, for access without the ledger. */
  readonly url: string;
  readonly sealing: Sealing;
  /** A tenant name that is new to this database. */
  newTenant(): string;
  /** Another ledger on the same database, as another process would have; closed after the file's last test. */
  open(poolSize?: number): Promise<Ledger>;
  /** Runs a statement without the ledger. */
  query(statement: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
};

/**
 * A migrated, empty database on the common test server (see `postgres-global.ts`) and a ledger on it; call it once at the top of a test
 * file or in a `beforeAll`.
 */
export async function withLedger(): Promise<TestLedger> {
  const url = await migratedDatabase();
  const sealing = createSealing({ id: 'test', bytes: randomBytes(32) });
  async function open(poolSize = 5): Promise<Ledger> {
    const ledger = await openLedger({ url, sealing, poolSize });
    afterAll(() => ledger.close());
    return ledger;
  }
  let tenants = 0;
  return {
    ledger: await open(10),
    url,
    sealing,
    newTenant: () => {
      tenants += 1;
      return `tenant-${tenants}`;
    },
    open,
    query: (statement, values) => queryOnce(url, statement, values),
  };
}

/** The address of a database without tables. */
export function freshDatabase(): Promise<string> {
  return databaseLike('template1');
}

/** The address of a migrated database without rows. */
export function migratedDatabase(): Promise<string> {
  return databaseLike(MIGRATED);
}

async function databaseLike(template: string): Promise<string> {
  const url = await serverUrl();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await queryOnce(url, `create database ${name} template ${template}`);
  const fresh = new URL(url);
  fresh.pathname = `/${name}`;
  return fresh.href;
}

export async function queryOnce(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}

async function serverUrl(): Promise<string> {
  const answer = await text(connect(inject('postgresBrokerPort'), '127.0.0.1'));
  if (!answer.startsWith('postgres://')) throw new Error(`The test server: ${answer}`);
  return answer;
}
