import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Binaries, findBinaries } from '../../playground/postgres/binaries.ts';
import { prepareCluster } from '../../playground/postgres/cluster.ts';
import { chooseLauncher, type Launcher, launchEnvironment, rootLaunchers } from '../../playground/postgres/launcher.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../playground/postgres/start.ts';
import { queryOnce } from '../support/ledger/postgres.ts';

/** mkdtemp makes it with mode 0700; as root, below it nobody but root may go. */
const folder = await mkdtemp(join(tmpdir(), 'lockstep-embedded-'));
const dataDir = join(folder, 'state', 'postgres');
const START_MODULE = new URL('../../playground/postgres/start.ts', import.meta.url).href;

afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(
  options: { port?: number; dataDir?: string; settings?: Record<string, string> } = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, ...options });
  onTestFinished(() => server.stop());
  return server;
}

/** Another process of ours with a server on `dataDir`; its pid, once the server is up. */
async function startElsewhere(): Promise<{ child: ChildProcess; serverPid: number }> {
  const script = `const { startEmbeddedPostgres } = await import(${JSON.stringify(START_MODULE)});
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(server.pid);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
  return { child, serverPid: Number(line) };
}

async function committed(url: string): Promise<unknown> {
  return (await queryOnce(url, 'select array_agg(n order by n) as kept from kept'))[0]?.['kept'];
}

describe('startEmbeddedPostgres', () => {
  beforeAll(async () => {
    const server = await startEmbeddedPostgres({ dataDir });
    await queryOnce(server.url, 'create table kept (n int)');
    await server.stop();
  });

  it('runs in a folder that only its owner may enter, and keeps its data and password for itself', async () => {
    const server = await start();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(dataDir)).mode & 0o077).toBe(0);
    expect((await stat(`${dataDir}.password`)).mode & 0o777).toBe(0o600);
    expect(new URL(server.url).port).toBe(String(server.port));
    const settings = await queryOnce(
      server.url,
      "select name, setting from pg_settings where name in ('fsync', 'unix_socket_directories', 'listen_addresses') order by 1",
    );
    expect(settings.map((row) => row['setting'])).toEqual(['on', '127.0.0.1', '']);
  });

  it('answers on the loopback address only, and to nobody without the password', async () => {
    const server = await start();
    const wrong = new URL(server.url);
    wrong.password = 'guess';
    await expect(queryOnce(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    const outside = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address } of outside.filter((one) => one.family === 'IPv4' && !one.internal)) {
      const elsewhere = new URL(server.url);
      elsewhere.hostname = address;
      await expect(queryOnce(elsewhere.href, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    }
  });

  it('keeps what was committed through a kill of the server', async () => {
    const server = await start();
    await queryOnce(server.url, 'insert into kept values (1)');
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    await server.stop();
    const again = await start();
    expect(await committed(again.url)).toEqual([1]);
  });

  it('heals after a kill of the process that started it', async () => {
    const { child, serverPid } = await startElsewhere();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const again = await start();
    expect(await committed(again.url)).toEqual([1]);
    // The server's own lock lets only one at this folder: the one of before is gone.
    expect(again.pid).not.toBe(serverPid);
    expect(await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).toMatch(new RegExp(`^${again.pid}\\n`));
  });

  it('refuses a folder that a living process of ours uses, and leaves that one alone', async () => {
    const { child, serverPid } = await startElsewhere();
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      `The data in ${dataDir} is in use by process ${child.pid}: stop that one first.`,
    );
    process.kill(serverPid, 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('stops a server that nobody owns any more', async () => {
    await (await start()).stop();
    const { postgres } = await findBinaries();
    const launcher = await chooseLauncher(postgres, folder);
    const args = ['-D', dataDir, '-p', '0', '-c', 'listen_addresses=', '-c', 'unix_socket_directories='];
    const [command, wrapped] = launcher.wrap(postgres, [...args, '-c', 'lockstep.owner_pid=1']);
    const orphan = spawn(command, wrapped, { stdio: ['ignore', 'ignore', 'pipe'], env: launchEnvironment() });
    const gone = once(orphan, 'exit');
    for await (const line of createInterface({ input: orphan.stderr })) {
      if (line.includes('ready to accept connections')) break;
    }
    orphan.stderr.resume();
    const server = await start();
    await gone;
    expect(await committed(server.url)).toEqual([1]);
  });

  it("takes a pid file for stale when its number is another program's, and never signals that one", async () => {
    await writeFile(join(dataDir, 'postmaster.pid'), `${process.ppid}\n${dataDir}\n`);
    const server = await start();
    expect(await committed(server.url)).toEqual([1]);
    process.kill(process.ppid, 0);
  });

  it('sets a new password when its file was lost', async () => {
    const before = await readFile(`${dataDir}.password`, 'utf8');
    await rm(`${dataDir}.password`);
    const server = await start();
    expect(await committed(server.url)).toEqual([1]);
    expect(await readFile(`${dataDir}.password`, 'utf8')).not.toBe(before);
  });

  it('clears away what a kill during the first start left', async () => {
    const fresh = join(folder, 'fresh', 'postgres');
    await mkdir(`${fresh}.making-999999999/cluster/base`, { recursive: true });
    await mkdir(fresh);
    await writeFile(`${fresh}.password`, '');
    await start({ dataDir: fresh });
    expect((await readdir(join(folder, 'fresh'))).sort()).toEqual(['postgres', 'postgres.password']);
  });

  it('says that a port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    await expect(startEmbeddedPostgres({ dataDir, port })).rejects.toThrow(
      `Port ${port} is taken: free it, or choose another port for the embedded PostgreSQL.`,
    );
    blocker.close();
    const server = await start({ port });
    expect(server.port).toBe(port);
  });

  it('touches no folder that holds something else, nor data of another version', async () => {
    const foreign = join(folder, 'foreign');
    await mkdir(foreign);
    await writeFile(join(foreign, 'thesis.txt'), 'mine');
    await expect(startEmbeddedPostgres({ dataDir: foreign })).rejects.toThrow(
      /is not empty and holds no PostgreSQL data/,
    );
    await writeFile(join(foreign, 'PG_VERSION'), '9\n');
    await expect(startEmbeddedPostgres({ dataDir: foreign })).rejects.toThrow(/was made by PostgreSQL 9/);
    expect(await readFile(join(foreign, 'thesis.txt'), 'utf8')).toBe('mine');
  });

  it('takes settings of its caller’s, and none in the place of its own', async () => {
    const server = await start({ settings: { fsync: 'off', listen_addresses: '*' } });
    const shown = async (name: string) => (await queryOnce(server.url, `show ${name}`))[0]?.[name];
    expect(await shown('fsync')).toBe('off');
    expect(await shown('listen_addresses')).toBe('127.0.0.1');
  });

  it('logs neither statements nor row values', async () => {
    const lines: string[] = [];
    const server = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('create temporary table people (email text primary key)');
    for (const outcome of ['fulfilled', 'rejected']) {
      const [result] = await Promise.allSettled([client.query("insert into people values ('ann@example.com')")]);
      expect(result.status).toBe(outcome);
    }
    await client.end();
    await server.stop();
    expect(lines.join('\n')).toContain('duplicate key');
    expect(lines.join('\n')).not.toContain('ann@example.com');
  });
});

/** The binaries copied below our 0700 folder: the whole checkout may lie where only its owner may go. */
async function copyBinaries(): Promise<Binaries> {
  const { postgres } = await findBinaries();
  await cp(dirname(dirname(postgres)), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return { postgres: join(folder, 'native/bin/postgres'), initdb: join(folder, 'native/bin/initdb') };
}

const binaries = await copyBinaries();
const launchers: readonly Launcher[] =
  process.getuid?.() === 0 ? rootLaunchers() : [await chooseLauncher(binaries.postgres, folder)];

async function answerOf(launcher: Launcher, cluster: string): Promise<string> {
  const [command, args] = launcher.wrap(binaries.postgres, ['--single', '-D', cluster, 'postgres']);
  const single = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env: launchEnvironment() });
  single.stdin.end('select 6 * 7 as answer\n');
  return text(single.stdout);
}

describe('launchers', () => {
  it.each(launchers)('$kind makes a cluster and runs the server on it', async (launcher) => {
    const cluster = join(folder, launcher.kind);
    await prepareCluster(cluster, binaries, launcher);
    expect((await stat(cluster)).uid).toBe(launcher.uid);
    expect(await answerOf(launcher, cluster)).toContain('answer = "42"');
  });

  it.each(launchers)('$kind takes over what any of them has made', async (launcher) => {
    for (const { kind } of launchers) {
      const cluster = join(folder, kind);
      await prepareCluster(cluster, binaries, launcher);
      expect((await stat(cluster)).uid).toBe(launcher.uid);
      expect(await answerOf(launcher, cluster)).toContain('answer = "42"');
    }
  });
});
