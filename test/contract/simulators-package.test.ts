import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildSimulators } from '../../scripts/package/build-simulators.mjs';
import { withOrigin } from '../support/with-origin.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const project = mkdtempSync(join(tmpdir(), 'lockstep-simulators-'));
const installed = join(project, 'node_modules', 'lockstep-simulators');

type Manifest = {
  readonly version: string;
  readonly repository?: unknown;
  readonly bin: { readonly lockstep: string };
  readonly dependencies: Readonly<Record<string, string>>;
};

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

beforeAll(() => {
  withOrigin('git@git.acme.example:acme/lockstep.git', () => buildSimulators(installed));
  for (const name of Object.keys(readManifest(installed).dependencies)) {
    const link = join(project, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
});
afterAll(() => rmSync(project, { recursive: true }));

/** Runs the program as it is installed, where Node strips no types, until it says where it listens. */
async function start(...args: readonly string[]): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const program = join(installed, readManifest(installed).bin.lockstep);
  const child = spawn(process.execPath, ['--no-strip-types', program, ...args], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of child.stdout ?? []) {
    const url = /Listening on (\S+)/.exec(String(line))?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error('The program ended without listening.');
}

it.each([
  ['vendor', 'vendor-simulator', ['/', '/openapi.json', '/reference', '/reference/scalar.js', '/metrics']],
  ['salesforce', 'salesforce', ['/', '/services/data', '/metrics']],
])('the package runs the %s simulator without the repository', async (which, name, paths) => {
  const { child, url } = await start('simulators', which, '--port', '0');
  try {
    expect(await (await fetch(`${url}/__admin/health`)).json()).toMatchObject({ status: 'ok', name });
    for (const path of paths) expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
});

it('the package asks for little, in the versions that are tested', () => {
  const { version, dependencies } = readManifest(installed);
  const own = readManifest(ROOT);
  const tested = { ...own.dependencies, ...readManifest(join(ROOT, 'simulators')).dependencies };
  for (const [name, wanted] of Object.entries(dependencies)) {
    expect([name, wanted]).toEqual([name, tested[name]]);
  }
  expect(version).toBe(own.version);
  expect(readManifest(join(ROOT, 'simulators'))).toMatchObject({ version, name: 'lockstep-simulators' });
  // What only the engine needs, and what has native parts, stays out.
  expect(Object.keys(dependencies).filter((name) => /temporal|postgres|^pg$|kysely|^node$/.test(name))).toEqual([]);
});

it('the package says where its sources are: at the origin of the checkout', () => {
  const url = 'git+ssh://git@git.acme.example/acme/lockstep.git';
  expect(readManifest(installed).repository).toEqual({ type: 'git', url });
});
