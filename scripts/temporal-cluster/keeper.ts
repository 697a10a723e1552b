/**
 * Keeps what a Temporal server needs for as long as the server's process lives: `node keeper.ts <port> <database file> <server's process id>`.
 * Starts PostgreSQL, prepares its databases and the namespace, prints a line with the server's program and configuration file, and stops
 * PostgreSQL after the server has ended.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../playground/postgres/start.ts';
import { freePort } from '../../src/platform/ports.ts';
import { prepareDatabases } from './databases.ts';
import { prepareNamespace } from './namespace.ts';
import { keptPorts } from './ports.ts';
import { serverPrograms } from './programs.ts';
import { serverConfig } from './server-config.ts';

const WATCH_MS = 200;
/** PostgreSQL stops within this time after its server was killed. */
const STOP_LIMIT_MS = 30_000;

const [port = '', dbFile = '', pid = ''] = process.argv.slice(2);
const programs = serverPrograms();
await takeOver(`${dbFile}.keeper`);
const postgres = await startEmbeddedPostgres({ dataDir: `${dbFile}.postgres` });
try {
  const isNew = await prepareDatabases(postgres.url, programs);
  if (isNew) await prepareNamespace(programs.server, await writeConfig(await freePort()));
  const { file } = await writeConfig(Number(port));
  process.stdout.write(`${JSON.stringify({ program: programs.server, config: file })}\n`);
  while (isAlive(Number(pid))) await delay(WATCH_MS);
} finally {
  await postgres.stop();
}

/** Waits until the keeper of a killed server has stopped PostgreSQL, and stands in its place. */
async function takeOver(pidFile: string): Promise<void> {
  const former = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
  const deadline = performance.now() + STOP_LIMIT_MS;
  while (former > 1 && isAlive(former) && performance.now() < deadline) await delay(WATCH_MS);
  writeFileSync(pidFile, String(process.pid));
}

/** Writes the configuration of a server whose frontend has this port, and returns the file's path. */
async function writeConfig(frontend: number): Promise<{ readonly file: string; readonly address: string }> {
  const kept = await keptPorts(`${dbFile}.ports`);
  const ports = { ...kept, frontend: [frontend, kept.frontend[1]] } as const;
  const file = `${dbFile}.yaml`;
  writeFileSync(file, serverConfig({ ports, postgres: new URL(postgres.url) }), { mode: 0o600 });
  return { file, address: `127.0.0.1:${frontend}` };
}

function isAlive(process_: number): boolean {
  try {
    return process.kill(process_, 0);
  } catch {
    return false;
  }
}
