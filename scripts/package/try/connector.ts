import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { freePort } from '../../../src/platform/ports.ts';
import { startPostgres, startTemporal } from '../../../test/support/stack/servers.ts';
import { until } from '../../../test/support/until.ts';
import { ROOT } from '../../setup/paths.mjs';
import { packagesIn } from '../../setup/spare-parts.mjs';
import { buildConnector } from '../build-connector.mjs';
import { exec, npm, projectWith } from './npm.ts';

type Check = { readonly name: string; readonly run: () => Promise<string> };
type Person = Pick<SpawnOptions, 'uid' | 'gid'>;

const NOBODY = 65_534;
const READY_LIMIT_MS = 60_000;
const PROGRAM = join('node_modules', '.bin', 'lockstep');

/** Packs the connector, installs it in an empty project, and runs it as an installation would. */
export async function tryConnector(work: string): Promise<readonly Check[]> {
  const built = join(work, 'built-connector');
  await buildConnector(built);
  const [{ filename }] = JSON.parse(await npm(work, ['pack', '--json', built]));
  const project = await projectWith(join(work, 'installation'), [join(work, filename)]);
  return [
    { name: 'the connector tells its release and build', run: () => tellsBuild(project) },
    { name: 'the connector rests on the versions that are locked', run: () => asLocked(project) },
    {
      name: 'the connector is an installation, as a user who may write nothing of it',
      run: () => works(work, project),
    },
  ];
}

async function tellsBuild(project: string): Promise<string> {
  const { stdout } = await exec(process.execPath, [PROGRAM, '--version'], { cwd: project });
  if (!/^\d+\.\d+\.\d+ build [0-9a-f]{12}\n$/.test(stdout)) throw new Error(`printed ${JSON.stringify(stdout)}`);
  return stdout;
}

type Lock = { readonly packages: Readonly<Record<string, { readonly version?: string }>> };

/** All packages are those of the checkout's lock file; none was chosen by npm at the installation. */
async function asLocked(project: string): Promise<string> {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  const within = join(project, 'node_modules', 'lockstep-connector');
  const wrong = packagesIn(join(within, 'node_modules')).filter(({ folder }) => {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return packages[relative(within, folder)]?.version !== version;
  });
  if (wrong.length > 0) throw new Error(`not as locked: ${wrong.map(({ folder }) => folder).join(', ')}`);
  const others = packagesIn(join(project, 'node_modules')).filter(({ folder }) => !folder.startsWith(within));
  if (others.length > 0) throw new Error(`not of the package: ${others.map(({ name }) => name).join(', ')}`);
  return '';
}

/** Runs as in a container image: as a user who owns no program file and may only write to one temporary folder. */
async function works(work: string, project: string): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  const person: Person = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const node = join(work, 'node');
  copyFileSync(process.execPath, node);
  chmodSync(work, 0o755);
  const state = join(work, 'state');
  mkdirSync(state, { mode: 0o700 });
  if (isRoot) chownSync(state, NOBODY, NOBODY);
  mkdirSync(join(work, 'servers'));
  seal(project);
  const postgres = await startPostgres(join(work, 'servers'));
  const temporal = await startTemporal(join(work, 'servers'));
  const [ops, hooks, hookOps] = [await freePort(), await freePort(), await freePort()];
  const env = {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    LOCKSTEP_SEALING_KEY: `file:${join(state, 'sealing.key')}`,
    LOCKSTEP_WORKER_PORT: String(ops),
    LOCKSTEP_WEBHOOK_PORT: String(hooks),
    LOCKSTEP_WEBHOOK_OPS_PORT: String(hookOps),
    LOCKSTEP_LOG_LEVEL: 'warn',
  };
  const run = (verb: string) => start(node, [join(project, PROGRAM), verb], { cwd: project, env, ...person });
  const children: Child[] = [];
  try {
    const code = await run('migrate').ended;
    if (code !== 0) throw new Error(`migrate ended with ${code}`);
    children.push(run('worker'), run('serve'));
    await Promise.all([ready('worker', ops, children[0]), ready('receiver', hookOps, children[1])]);
    for (const { process } of children) process.kill('SIGTERM');
    const codes = await Promise.all(children.map(({ ended }) => ended));
    if (codes.some((ended) => ended !== 0)) throw new Error(`they ended with ${codes.join(' and ')}`);
    return '';
  } finally {
    for (const { process } of children) process.kill('SIGKILL');
    await temporal.kill();
    await postgres.stop();
    exposeAgain(project);
  }
}

type Child = { readonly process: ChildProcess; readonly ended: Promise<number | null> };

function start(
  node: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> } & Person,
): Child {
  const child = spawn(node, [...args], { ...options, stdio: ['ignore', 2, 2] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { process: child, ended };
}

async function ready(name: string, port: number, child: Child | undefined): Promise<void> {
  await until(
    `the ${name} is ready`,
    async () => {
      if (child?.process.exitCode !== null) throw new Error(`the ${name} ended with ${child?.process.exitCode}`);
      return fetch(`http://127.0.0.1:${port}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      );
    },
    READY_LIMIT_MS,
  );
}

/** Makes a folder that only root may write. */
function seal(folder: string): void {
  for (const path of foldersOf(folder)) chmodSync(path, 0o555);
}

function exposeAgain(folder: string): void {
  for (const path of foldersOf(folder)) chmodSync(path, 0o755);
}

function foldersOf(folder: string): readonly string[] {
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true });
  return [folder, ...inside.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))];
}
