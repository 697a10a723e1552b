import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildPackage } from '../../scripts/package/build.mjs';
import { firstExample } from '../../scripts/package/first-example.mjs';
import { startScriptedServer } from '../support/partner-api/scripted-server.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const project = mkdtempSync(join(tmpdir(), 'lockstep-package-'));
const installed = join(project, 'node_modules', 'lockstep');

type Manifest = {
  readonly version: string;
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
};

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Every package that the built JavaScript and its declarations import. */
function importedPackages(): readonly string[] {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|d\.ts)$/.test(file),
  );
  const names = files.flatMap((file) => {
    const text = readFileSync(join(installed, file), 'utf8');
    return [...text.matchAll(/(?:from|import\()\s*['"]([\w@][\w@./:-]*)['"]/g)].map(([, name]) => name ?? '');
  });
  return [...new Set(names)].filter((name) => !name.startsWith('node:')).toSorted();
}

beforeAll(() => {
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  buildPackage(installed);
  for (const name of Object.keys(readManifest(installed).dependencies)) {
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  }
});
afterAll(() => rmSync(project, { recursive: true }));

it('the package runs the first example of its README as JavaScript, with its own dependencies alone', async () => {
  const server = await startScriptedServer();
  try {
    server.script({ body: { info: {}, data: [{ salesPortfolioId: 'OFFER-1' }] } });
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(project, 'first.js'),
      firstExample(readFileSync(join(installed, 'README.md'), 'utf8')),
    );
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-strip-types', 'first.js'], {
      cwd: project,
      env: { VENDOR_URL: server.url, VENDOR_API_KEY: 'a-key' },
    });
    expect(stdout).toBe("[ 'OFFER-1' ]\n");
    expect(server.requests[0]?.headers['x-api-key']).toBe('a-key');
  } finally {
    await server.close();
  }
});

it('the package asks for what it imports and nothing else', () => {
  const { version, dependencies } = readManifest(installed);
  expect(importedPackages()).toEqual(Object.keys(dependencies).toSorted());
  expect(version).toBe(readManifest(ROOT).version);
});

it.each([
  ['the package', (target: string) => target],
  ['the checkout', (target: string) => target.replace('./dist/', './')],
])('%s exports files that the build makes', (name, within) => {
  const { types, default: code } = readManifest(name === 'the package' ? installed : ROOT).exports[
    './partner-api'
  ] ?? { types: 'none', default: 'none' };
  expect([types, code].map((target) => existsSync(join(installed, within(target))))).toEqual([true, true]);
});

it('the declarations are enough for a strict program of a user’s', async () => {
  const program = `${firstExample(readFileSync(join(installed, 'README.md'), 'utf8'))}
    const order = await api.readOrder({ id: 'ORDER-1' });
    // @ts-expect-error an order's data is no number
    export const wrong: number = order.data;`;
  writeFileSync(join(project, 'user.mts'), program);
  mkdirSync(join(project, 'types'));
  symlinkSync(join(ROOT, 'node_modules', '@types', 'node'), join(project, 'types', 'node'));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags =
    '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022 --typeRoots types --types node';
  const outcome = promisify(execFile)(process.execPath, [tsc, ...flags.split(' '), 'user.mts'], {
    cwd: project,
  });
  await expect(outcome).resolves.toMatchObject({ stdout: '' });
});
