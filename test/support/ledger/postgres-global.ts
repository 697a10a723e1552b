import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../playground/postgres/start.ts';
import { migrate } from '../../../src/ledger/migrations/migrate.ts';
import { MIGRATED } from './migrated.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The port of 127.0.0.1 that returns the test server's address. */
    readonly postgresBrokerPort: number;
  }
}

/**
 * One PostgreSQL for all test files, started by the first file that asks; a run without such files starts none. Files ask through a port,
 * because they run in separate processes. Returns the function that vitest calls at the end.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<Running> | undefined;
  const broker = createServer((socket: Socket) => {
    server ??= start();
    server.then(
      ({ postgres }) => socket.end(postgres.url),
      (error: Error) => socket.end(`cannot start: ${error.message}`),
    );
  });
  await new Promise<void>((settle) => {
    broker.listen(0, '127.0.0.1', settle);
  });
  const address = broker.address();
  if (address === null || typeof address === 'string') throw new Error('The broker has no port.');
  project.provide('postgresBrokerPort', address.port);
  return async () => {
    broker.close();
    const running = await server?.catch(() => undefined);
    if (running === undefined) return;
    await running.postgres.stop();
    await rm(running.folder, { recursive: true, force: true });
  };
}

/** No data must survive a kill of this server, so it never waits for a disk. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

type Running = { readonly postgres: EmbeddedPostgres; readonly folder: string };

async function start(): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-postgres-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), settings: NOT_DURABLE });
  await makeMigrated(postgres.url);
  return { folder, postgres };
}

/** Makes the migrated database that is copied, because a copy takes a fraction of the migrations' time. */
async function makeMigrated(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${MIGRATED}`);
  } finally {
    await client.end();
  }
  const migrated = new URL(url);
  migrated.pathname = `/${MIGRATED}`;
  await migrate(migrated.href);
  await refuseUncounted(migrated.href);
}

/** In tests, PostgreSQL refuses a statement that says when a link changed and does not count its version, because no other check finds it. */
async function refuseUncounted(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      create function refuse_uncounted() returns trigger language plpgsql as $$
        begin raise exception 'a statement sets updated_at of links without the next version (changedAt)'; end $$;
      create trigger refuse_uncounted before update of updated_at on links
        for each row when (new.version <> old.version + 1) execute function refuse_uncounted()`);
  } finally {
    await client.end();
  }
}
