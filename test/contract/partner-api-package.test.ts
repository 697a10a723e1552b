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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildPackage, OLDEST_NODE } from '../../scripts/package/build.mjs';
import { allExamples, firstExample } from '../../scripts/package/examples.mjs';
import { programOfMistakes } from '../../scripts/package/mistakes.ts';
import { VERSION } from '../../src/partner-api/version.ts';
import { type ScriptedServer, startScriptedServer } from '../support/partner-api/scripted-server.ts';
import { withOrigin } from '../support/with-origin.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const project = mkdtempSync(join(tmpdir(), 'lockstep-package-'));
const installed = join(project, 'node_modules', 'lockstep');

type Manifest = {
  readonly version: string;
  readonly license: string;
  readonly repository?: unknown;
  readonly bugs?: unknown;
  readonly homepage?: string;
  readonly exports: {
    readonly './partner-api': Readonly<Record<string, { types: string; default: string }>>;
  };
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
};

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

const read = (file: string): string => readFileSync(join(installed, file), 'utf8');

/** The built files whose names end in this. */
function built(ending: RegExp): readonly string[] {
  return readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) => ending.test(file));
}

/** Every package that these files import. */
function importedPackages(files: readonly string[]): readonly string[] {
  const names = files.flatMap((file) =>
    [...read(file).matchAll(/(?:from|import\(|require\()\s*['"]([\w@][\w@./:-]*)['"]/g)].map(([, name]) => name ?? ''),
  );
  return [...new Set(names)].filter((name) => !name.startsWith('node:')).toSorted();
}

const run = promisify(execFile);

beforeAll(() => {
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  withOrigin('https://token@github.com/acme/lockstep.git', () => buildPackage(installed));
  for (const name of Object.keys(readManifest(installed).dependencies)) {
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  }
});
afterAll(() => rmSync(project, { recursive: true }));

describe('a program of a user’s', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
    server.script({ body: { info: {}, data: [{ salesPortfolioId: 'OFFER-1' }] } });
  });
  afterEach(() => server.close());
  const runFirst = (file: string, source: string) => {
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(project, file), source);
    const env = { VENDOR_URL: server.url, VENDOR_API_KEY: 'a-key' };
    return run(process.execPath, ['--no-strip-types', file], { cwd: project, env });
  };

  it('runs the first example of the README as JavaScript, with the dependencies of the package alone', async () => {
    const { stdout } = await runFirst('first.js', firstExample(read('README.md')));
    expect(stdout).toBe("[ 'OFFER-1' ]\n");
    expect(server.requests[0]?.headers['x-api-key']).toBe('a-key');
  });

  it('may require the package, and has the same instance as who imports it', async () => {
    const body = firstExample(read('README.md')).replace(/^import .*$/m, '');
    const { stdout } = await runFirst(
      'first.cjs',
      `const { createPartnerApi, PartnerApiError } = require('lockstep/partner-api');
       (async () => { ${body}
         const imported = await import('lockstep/partner-api');
         console.log(imported.PartnerApiError === PartnerApiError);
       })();`,
    );
    expect(stdout).toBe("[ 'OFFER-1' ]\ntrue\n");
  });

  it.each([
    ['22.18.0', 'import("lockstep/partner-api").catch((error) => console.log(error.message))'],
    ['20.19.5', 'try { require("lockstep/partner-api") } catch (error) { console.log(error.message) }'],
  ])('learns what it lacks on Node %s', async (version, load) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
    const { stdout } = await run(process.execPath, ['-e', pretend + load], { cwd: project });
    expect(stdout).toBe(`lockstep/partner-api needs Node 22.19 or newer; this is Node ${version}\n`);
  });

  it('compiles strictly, with every example of the README, and without any of the usual mistakes', async () => {
    const operations = readFileSync(join(ROOT, 'scripts', 'package', 'all-operations.ts'), 'utf8');
    const ofPackage = operations.replace(/'[^']*src\/partner-api\/index\.ts'/, "'lockstep/partner-api'");
    const programs = {
      'examples.mts': allExamples(read('README.md')),
      'mistakes.mts': programOfMistakes('lockstep/partner-api'),
      'all-operations.mts': ofPackage,
      'all-operations.cts': ofPackage,
    };
    for (const [name, source] of Object.entries(programs)) writeFileSync(join(project, name), source);
    mkdirSync(join(project, 'types'));
    symlinkSync(join(ROOT, 'node_modules', '@types', 'node'), join(project, 'types', 'node'));
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = '--noEmit --strict --module nodenext --target es2022 --typeRoots types --types node';
    const outcome = await run(process.execPath, [tsc, ...flags.split(' '), ...Object.keys(programs)], {
      cwd: project,
    }).catch(({ stdout }: { stdout: string }) => ({ stdout }));
    expect(outcome.stdout).toBe('');
  });
});

describe('the package', () => {
  it('asks for what it imports and nothing else', () => {
    const { dependencies } = readManifest(installed);
    expect(importedPackages(built(/\.c?js$/))).toEqual(Object.keys(dependencies).toSorted());
  });

  it('declares nothing by the types of zod, which want a newer TypeScript than it does', () => {
    expect(importedPackages(built(/\.d\.c?ts$/))).toEqual(['undici']);
  });

  it('says its version in the manifest, to the vendor and in the list of changes', () => {
    const { version, engines } = readManifest(installed);
    expect(version).toBe(readManifest(ROOT).version);
    expect(VERSION).toBe(version);
    expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`);
    expect(engines.node).toBe(`>=${OLDEST_NODE}`);
  });

  it('says where its sources are: at the origin of the checkout', () => {
    expect(readManifest(installed)).toMatchObject({
      repository: { type: 'git', url: 'git+https://github.com/acme/lockstep.git' },
      bugs: { url: 'https://github.com/acme/lockstep/issues' },
      homepage: 'https://github.com/acme/lockstep#readme',
    });
  });

  it('has the licence that its owner gives, and maps that hold the sources', () => {
    expect(readManifest(installed).license).toBe(readManifest(ROOT).license);
    expect(read('LICENSE')).toContain(readManifest(ROOT).license);
    const maps = built(/\.js\.map$/);
    expect(maps).toHaveLength(built(/\.js$/).length);
    for (const map of maps) expect(JSON.parse(read(map)).sourcesContent).toHaveLength(1);
  });

  it.each([
    ['the package', installed, (target: string) => target],
    ['the checkout', ROOT, (target: string) => target.replace('./dist/', './')],
  ])('%s exports files that the build makes', (_name, folder, within) => {
    const { import: imported, require: required } = readManifest(folder).exports['./partner-api'];
    const targets = [imported, required].flatMap((entry) => Object.values(entry ?? {}));
    expect(targets).toHaveLength(4);
    expect(targets.filter((target) => !existsSync(join(installed, within(target))))).toEqual([]);
  });
});
