import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal.config.ts';
import { startNodeChild } from '../processes/node-child.ts';
import { commandOf, endProcess, findProcesses } from '../processes/os-process.ts';
import type { Service } from '../processes/supervise.ts';

const GUARD = join(import.meta.dirname, 'temporal-guard.ts');
const HOST = '127.0.0.1';
const GRACE_MS = 8000;

/** Server settings for priorities and rate limits by fairness key. */
const DYNAMIC_CONFIG = [
  'matching.useNewMatcher=true',
  'matching.enableFairness=true',
  // One partition, because a queue's rate limit is divided among its partitions and a small limit does not survive that.
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
] as const;

export type TemporalServerOptions = {
  readonly program: string;
  readonly port: number;
  readonly uiPort: number;
  readonly dbFile: string;
  readonly logFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
};

/** The Temporal dev server with its UI; workflows survive in its database file. */
export function temporalServer(options: TemporalServerOptions): Service {
  return {
    name: 'Temporal server',
    start: async () => {
      await endLeftoverTemporal(options.dbFile);
      return startNodeChild({
        name: 'Temporal server',
        entry: GUARD,
        args: [options.program, ...serverArgs(options)],
        env: options.env,
        logFile: options.logFile,
        signal: options.signal,
        isReady: () => answers(`${HOST}:${options.port}`),
      });
    },
  };
}

/** The dev server's arguments: loopback only, Lockstep's search attributes, fairness on. */
export function serverArgs(options: TemporalServerOptions): readonly string[] {
  const ports = ['--port', String(options.port), '--ui-port', String(options.uiPort)];
  const attributes = Object.values(SEARCH_ATTRIBUTES).flatMap(({ name, type }) => [
    '--search-attribute',
    `${name}=${capitalized(type)}`,
  ]);
  const config = DYNAMIC_CONFIG.flatMap((pair) => ['--dynamic-config-value', pair]);
  const files = ['--db-filename', options.dbFile, '--log-level', 'warn', '--log-format', 'json'];
  // Data that the operating system has accepted survives the death of every process; only a power cut may damage the database.
  const speed = ['--sqlite-pragma', 'synchronous=0'];
  return ['server', 'start-dev', '--ip', HOST, ...ports, ...files, ...speed, ...attributes, ...config];
}

function capitalized(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1).toLowerCase();
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

/** Ends a server on this database file whose guard was killed; the file is in its command line. */
export async function endLeftoverTemporal(dbFile: string): Promise<void> {
  for (const pid of findProcesses((command) => isServerOn(command, dbFile))) {
    await endProcess(pid, () => isServerOn(commandOf(pid), dbFile), GRACE_MS);
  }
}

function isServerOn(command: string, dbFile: string): boolean {
  const isGuard = command.includes('temporal-guard');
  return !isGuard && command.includes(' server start-dev ') && command.includes(` --db-filename ${dbFile} `);
}
