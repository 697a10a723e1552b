#!/usr/bin/env node
/**
 * Stands in for the Temporal CLI, so that everything that starts a development server starts a real server instead: `TEMPORAL_CLI=<this file>`.
 * `server start-dev` becomes a Temporal server on the same port, with its PostgreSQL beside the database file. All other commands go to the
 * real CLI, which `LOCKSTEP_REAL_TEMPORAL_CLI` names.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processEnvironment } from '../../src/platform/settings.ts';

const args = process.argv.slice(2);
const env = processEnvironment();
if (args[0] === 'server' && args[1] === 'start-dev') await startServer();
else process.execve?.(env['LOCKSTEP_REAL_TEMPORAL_CLI'] ?? 'temporal', ['temporal', ...args], env);

/** Becomes the server, with the same process id, so whoever started this process can kill the server. */
async function startServer(): Promise<void> {
  // The other options are about SQLite, the UI and settings that a new cluster does not have.
  const optionOf = (option: string): string => {
    const at = args.indexOf(option);
    const value = at === -1 ? undefined : args[at + 1];
    if (value === undefined) throw new Error(`${option} is needed.`);
    return value;
  };
  const [port, dbFile] = [optionOf('--port'), optionOf('--db-filename')];
  const keeper = spawn(process.execPath, [join(import.meta.dirname, 'keeper.ts'), port, dbFile, String(process.pid)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await Promise.race([
    once(createInterface(keeper.stdout), 'line'),
    once(keeper, 'exit').then(() => [null]),
  ]);
  if (line === null) process.exit(1);
  const { program, config } = JSON.parse(line as string) as { readonly program: string; readonly config: string };
  process.execve?.(program, ['temporal-server', '--config-file', config, '--allow-no-auth', 'start'], env);
}
