import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../playground/postgres/start.ts';
import { serverArgs } from '../../../playground/temporal/temporal-server.ts';
import { freePort } from '../../../src/platform/ports.ts';
import { processEnvironment } from '../../../src/platform/settings.ts';
import { until } from '../until.ts';

/** A server with its data in files: after SIGKILL it starts again at the same address on the same data. */
export interface Restartable {
  pid(): number;
  /** Whether it runs; false also after it ended without a call. */
  isUp(): boolean;
  kill(): Promise<void>;
  /** Resolves when it answers. */
  start(): Promise<void>;
}

export type TemporalServer = Restartable & { readonly address: string; readonly cli: string };

/** Starts Temporal's development server on a database file in `home`. */
export async function startTemporal(home: string): Promise<TemporalServer> {
  const cli = temporalCli();
  const [port, uiPort] = [await freePort(), await freePort()];
  const address = `127.0.0.1:${port}`;
  const args = serverArgs({
    program: cli,
    port,
    uiPort,
    dbFile: join(home, 'temporal.db'),
    logFile: join(home, 'temporal.log'),
    env: {},
    signal: AbortSignal.timeout(600_000),
  });
  let child: ChildProcess | null = null;
  // The server does not end with its parent, so it is killed whenever this process ends.
  process.once('exit', () => child?.kill('SIGKILL'));
  const server: TemporalServer = {
    address,
    cli,
    pid: () => child?.pid ?? 0,
    isUp: () => child !== null && child.exitCode === null && child.signalCode === null,
    kill: async () => {
      const running = child;
      if (running === null || !server.isUp()) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGKILL');
      await ended;
    },
    start: async () => {
      child = spawn(cli, args, { stdio: 'ignore' });
      await until('Temporal answers', () => answers(address), 60_000);
    },
  };
  await server.start();
  return server;
}

export type PostgresServer = Restartable & { readonly url: string; stop(): Promise<void> };

/** Starts a separate PostgreSQL in `home`, for tests that kill it; the others share one. */
export async function startPostgres(home: string): Promise<PostgresServer> {
  const dataDir = join(home, 'postgres');
  let running: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir });
  const { port, url } = running;
  let isUp = true;
  const watch = (): void => {
    void running.exited.then(() => {
      isUp = false;
    });
  };
  watch();
  return {
    url,
    pid: () => running.pid,
    isUp: () => isUp,
    kill: async () => {
      if (isUp) process.kill(running.pid, 'SIGKILL');
      await running.exited;
    },
    start: async () => {
      running = await startEmbeddedPostgres({ dataDir, port });
      isUp = true;
      watch();
    },
    stop: () => running.stop(),
  };
}

/** The CLI that the set-up names in the environment; otherwise the set-up's copy. */
export function temporalCli(): string {
  const env = processEnvironment();
  return (
    env['TEMPORAL_CLI'] ?? join(env['XDG_CACHE_HOME'] ?? join(env['HOME'] ?? '', '.cache'), 'lockstep/bin/temporal')
  );
}

async function answers(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 1000 });
    await connection.workflowService.describeNamespace({ namespace: 'default' });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}
