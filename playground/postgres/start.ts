import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';
import pg from 'pg';
import { type Binaries, findBinaries } from './binaries.ts';
import { prepareCluster, ROLE } from './cluster.ts';
import { chooseLauncher, type Launcher, launchEnvironment } from './launcher.ts';
import { clearLeftover, OWNER_SETTING, stopServer } from './leftover.ts';

const HOST = '127.0.0.1';
const DATABASE = 'lockstep';
const START_TIMEOUT_MS = 60_000;
const ATTEMPTS = 20;
const ATTEMPT_PAUSE_MS = 500;

export type EmbeddedPostgres = {
  /** Contains the generated password: for clients only, never for a log. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended, for whatever reason. */
  readonly exited: Promise<void>;
  /** Stops the server: fast shutdown, immediate after 15 s, kill after 20 s. May be called twice. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  readonly dataDir: string;
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Gets the server's own log, line by line. It contains no statements and no row values. */
  readonly log?: (line: string) => void;
  /** Additional settings of the server. */
  readonly settings?: Readonly<Record<string, string>>;
};

type Refusal = 'port-taken' | 'still-in-use' | 'other';
type Started = { readonly child: ChildProcess } | { readonly refusal: Refusal; readonly line: string };

/**
 * Starts a real PostgreSQL on `dataDir` (created on first use), on 127.0.0.1 only, as an ordinary user or as root (see `launcher.ts`).
 * Committed data survives a kill. On Linux the server stops when the thread that started it ends, so call this from a thread that lives as
 * long as the process; elsewhere the next start stops it. Throws an error, one sentence with the repair.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const dataDir = await realDataDir(options.dataDir);
  const launcher = await chooseLauncher(binaries.postgres, dirname(dataDir));
  await clearLeftover(dataDir);
  const password = await prepareCluster(dataDir, binaries, launcher);
  const { child, port } = await startServer(dataDir, binaries, launcher, options);
  const server = handle(child, port, password, dataDir);
  try {
    await ensureDatabase(server.url);
  } catch (error) {
    await server.stop();
    throw new Error(`PostgreSQL started on ${dataDir} and refuses our login (${(error as { code?: string }).code}).`);
  }
  return server;
}

/** The real path of the folder, because the leftover check compares it with the server's command line. */
async function realDataDir(dataDir: string): Promise<string> {
  const wanted = resolve(dataDir);
  await mkdir(dirname(wanted), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The folder ${dirname(wanted)} cannot be made (${error.code}).`);
  });
  const real = await realpath(wanted).catch(() => null);
  return real ?? join(await realpath(dirname(wanted)), basename(wanted));
}

async function startServer(
  dataDir: string,
  binaries: Binaries,
  launcher: Launcher,
  options: EmbeddedPostgresOptions,
): Promise<{ child: ChildProcess; port: number }> {
  const wantsFreePort = (options.port ?? 0) === 0;
  for (let attempt = 1; ; attempt += 1) {
    const port = wantsFreePort ? await getPort({ host: HOST }) : (options.port as number);
    const args = serverArgs(dataDir, port, options.settings);
    const started = await tryStart(launcher.wrap(binaries.postgres, args), options.log ?? (() => {}));
    if ('child' in started) return { child: started.child, port };
    if (started.refusal === 'port-taken' && !wantsFreePort) {
      throw new Error(`Port ${port} is taken: free it, or choose another port for the embedded PostgreSQL.`);
    }
    if (started.refusal === 'other' || attempt === ATTEMPTS) {
      throw new Error(`PostgreSQL did not start on ${dataDir}: ${started.line}`);
    }
    // The last children of a killed server need a moment to release its memory.
    if (started.refusal === 'still-in-use') await delay(ATTEMPT_PAUSE_MS);
  }
}

function serverArgs(dataDir: string, port: number, more: EmbeddedPostgresOptions['settings']): readonly string[] {
  const settings = {
    ...more,
    listen_addresses: HOST,
    unix_socket_directories: '',
    max_connections: '200',
    // Errors are logged without their statement and without the offending row.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    [OWNER_SETTING]: String(process.pid),
  };
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', dataDir, '-p', String(port), ...pairs];
}

/** Resolves when the server accepts connections or has given up; never rejects. */
function tryStart(
  [command, args]: readonly [string, readonly string[]],
  log: (line: string) => void,
): Promise<Started> {
  return new Promise((settle) => {
    // A session of its own, so that Ctrl-C in the terminal does not stop the server before its clients.
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: launchEnvironment(),
    });
    let refusal: Refusal = 'other';
    let blame = 'it gave no reason.';
    const timer = setTimeout(() => child.kill('SIGQUIT'), START_TIMEOUT_MS);
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      log(line);
      refusal = refusalIn(line) ?? refusal;
      if (line.includes('FATAL')) blame = line.replace(/^.*FATAL:\s*/, '');
      if (!line.includes('database system is ready to accept connections')) return;
      clearTimeout(timer);
      settle({ child });
    });
    child.once('error', (error) => settle({ refusal: 'other', line: error.message }));
    child.once('close', () => {
      clearTimeout(timer);
      settle({ refusal, line: blame });
    });
  });
}

function refusalIn(line: string): Refusal | null {
  if (line.includes('Address already in use')) return 'port-taken';
  if (line.includes('is still in use') || line.includes('lock file "postmaster.pid" already exists')) {
    return 'still-in-use';
  }
  return null;
}

function handle(child: ChildProcess, port: number, password: string, dataDir: string): EmbeddedPostgres {
  const pid = child.pid as number;
  const exited = new Promise<void>((settle) => {
    child.once('exit', () => settle());
    if (child.exitCode !== null || child.signalCode !== null) settle();
  });
  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) await stopServer(pid, dataDir);
    await exited;
  }
  return { url: urlFor(password, port, DATABASE), port, pid, exited, stop };
}

function urlFor(password: string, port: number, database: string): string {
  return `postgres://${ROLE}:${encodeURIComponent(password)}@${HOST}:${port}/${database}`;
}

async function ensureDatabase(url: string): Promise<void> {
  const admin = new URL(url);
  admin.pathname = '/postgres';
  const client = new pg.Client({ connectionString: admin.href, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
