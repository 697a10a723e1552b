import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFile } from '../support/house-rules/check-file.ts';
import { checkImports } from '../support/house-rules/check-imports.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['src', 'workflows', 'activities', 'simulators', 'playground', 'test', 'bench', 'scripts'];

function sourceFiles(): readonly string[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return ['temporal.config.ts', ...files.filter((name) => name.endsWith('.ts'))];
}

/** All imports of the house are read: seconds on an idle machine, a minute beside other work. */
const ALL_IMPORTS_MS = 180_000;

describe('the house', () => {
  it('imports only where its layers allow, and in no circle', { timeout: ALL_IMPORTS_MS }, async () => {
    expect(await checkImports(ROOT, [...FOLDERS, 'temporal.config.ts'])).toEqual([]);
  });

  it('takes nothing that it should be given', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap((path) => checkFile(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });
});

describe('a file on its own', () => {
  it.each([
    ['src/domain/a.ts', 'const z = await import(name);'],
    ['src/worker/a.ts', 'const home = process.env.HOME;'],
    ['src/worker/a.ts', "const home = process['env'].HOME;"],
    ['src/domain/a.ts', 'const now = Date.now();'],
    ['src/domain/a.ts', 'const now = new Date();'],
    ['src/operator/a.ts', "console.log('3 records');"],
    ['src/operator/a.ts', "process.stdout.write('3 records');"],
    ['test/unit/a.test.ts', "import fc from 'fast-check';\nfc.assert(law);"],
  ])('is refused in %s: %s', (path, source) => {
    expect(checkFile(path, source)).toHaveLength(1);
  });

  it('is refused from 401 lines on', () => {
    const refused = (lines: number) => checkFile('src/cli/a.ts', 'export const x = 1;\n'.repeat(lines));
    expect([refused(400), refused(401)]).toEqual([[], [expect.stringMatching(/has 401 lines/)]]);
  });

  it.each([
    ['src/domain/a.ts', "import { Decimal } from 'decimal.js';\nconst day = new Date(text);"],
    ['src/platform/settings.ts', 'export const env = process.env;'],
    ['src/cli/a.ts', "process.stdout.write('3 records');"],
    ['test/unit/a.test.ts', "import fc from '../support/properties.ts';\nfc.assert(law);"],
    ['test/support/a.ts', "import fc from 'fast-check';\nexport const days = fc.nat();"],
  ])('is allowed in %s: %s', (path, source) => {
    expect(checkFile(path, source)).toEqual([]);
  });
});

/** What the examples import; each must be there, or it would be refused for another reason. */
const NEIGHBOURS = [
  'activities/index.ts',
  'src/cli/context.ts',
  'playground/up/services.ts',
  'src/domain/decide/decide.ts',
  'src/domain/values/forecast.ts',
  'src/domain/record/canonical.ts',
  'src/ledger/ledger.ts',
  'src/ledger/ledger-error.ts',
  'src/ledger/queue/due.ts',
  'src/partner-api/index.ts',
  'src/platform/secret.ts',
  'src/salesforce/crm.ts',
  'simulators/src/index.ts',
  'simulators/src/salesforce/start.ts',
  'simulators/test/support/index.ts',
  'src/webhooks/server.ts',
  'src/worker/run-worker.ts',
  'test/support/until.ts',
  'workflows/messages.ts',
];

/** Wrong imports, each in a file of its own, and what it is refused for. */
const WRONG: readonly (readonly [path: string, source: string, to: string])[] = [
  ['src/domain/a.ts', "import { z } from 'zod';", 'node_modules/zod/'],
  ['src/domain/b.ts', "import type { Ledger } from '../ledger/ledger.ts';", 'src/ledger/ledger.ts'],
  ['src/domain/c.ts', "import { readFileSync } from 'node:fs';", 'fs'],
  ['src/domain/mapping/a.ts', "export { x } from '../../platform/secret.ts';", 'src/platform/secret.ts'],
  ['src/domain/d.ts', "const z = await import('zod');", 'node_modules/zod/'],
  ['src/domain/values/a.ts', "import { decide } from '../decide/decide.ts';", 'src/domain/decide/decide.ts'],
  ['src/ledger/links/a.ts', "import { dueKeys } from '../queue/due.ts';", 'src/ledger/queue/due.ts'],
  ['src/ledger/plans/a.ts', "import type { Ledger } from '../ledger.ts';", 'src/ledger/ledger.ts'],
  ['playground/a.ts', "import { runWorker } from '../src/worker/run-worker.ts';", 'src/worker/run-worker.ts'],
  ['workflows/a.ts', "import { createActivities } from '../activities/index.ts';", 'activities/index.ts'],
  ['workflows/b.ts', "import { Client } from '@temporalio/client';", 'node_modules/@temporalio/client/'],
  ['workflows/c.ts', "import { createHash } from 'node:crypto';", 'crypto'],
  ['activities/a.ts', "import { openLedger } from '../src/ledger/ledger.ts';", 'src/ledger/ledger.ts'],
  ['activities/b.ts', "import type { Input } from '../workflows/messages.ts';", 'workflows/messages.ts'],
  ['activities/c.ts', "import { type A, b } from '../src/ledger/ledger.ts';", 'src/ledger/ledger.ts'],
  ['src/partner-api/a.ts', "import type { T } from '../domain/record/canonical.ts';", 'src/domain/record/canonical.ts'],
  ['src/salesforce/a.ts', "import type { Ledger } from '../ledger/ledger.ts';", 'src/ledger/ledger.ts'],
  ['src/platform/a.ts', "import { wake } from '../../workflows/messages.ts';", 'workflows/messages.ts'],
  ['src/intake/a.ts', "import { openLedger } from '../ledger/ledger.ts';", 'src/ledger/ledger.ts'],
  ['src/operator/a.ts', "import type { Context } from '../cli/context.ts';", 'src/cli/context.ts'],
  ['src/operator/b.ts', "import { createCrm } from '../salesforce/crm.ts';", 'src/salesforce/crm.ts'],
  ['src/worker/a.ts', "import { startWebhookServer } from '../webhooks/server.ts';", 'src/webhooks/server.ts'],
  ['src/cli/c.ts', "import { up } from '../../playground/up/services.ts';", 'playground/up/services.ts'],
  ['src/cli/d.ts', "import { start } from 'lockstep-simulators';", 'simulators/src/index.ts'],
  ['src/webhooks/a.ts', "import { runWorker } from '../worker/run-worker.ts';", 'src/worker/run-worker.ts'],
  [
    'simulators/src/vendor/a.ts',
    "import { forecast } from '../../../src/domain/values/forecast.ts';",
    'src/domain/values/forecast.ts',
  ],
  [
    'simulators/src/vendor/b.ts',
    "import { start } from '../salesforce/start.ts';",
    'simulators/src/salesforce/start.ts',
  ],
  [
    'simulators/src/core/a.ts',
    "import { resolveSecret } from '../../../src/platform/secret.ts';",
    'src/platform/secret.ts',
  ],
  [
    'simulators/src/core/b.ts',
    "import { until } from '../../test/support/index.ts';",
    'simulators/test/support/index.ts',
  ],
  [
    'playground/b.ts',
    "import { start } from '../simulators/src/salesforce/start.ts';",
    'simulators/src/salesforce/start.ts',
  ],
  [
    'test/unit/deep.test.ts',
    "import { start } from '../../simulators/src/salesforce/start.ts';",
    'simulators/src/salesforce/start.ts',
  ],
  ['src/cli/a.ts', "import { until } from '../../test/support/until.ts';", 'test/support/until.ts'],
];

const RIGHT: readonly (readonly [path: string, source: string])[] = [
  ['src/domain/right.ts', "import { Decimal } from 'decimal.js';\nimport { f } from './values/forecast.ts';"],
  ['src/domain/decide/right.ts', "import { f } from '../values/forecast.ts';"],
  ['workflows/right.ts', "import type { Activities } from '../activities/index.ts';"],
  ['activities/right.ts', "import type { Ledger } from '../src/ledger/ledger.ts';"],
  ['activities/inline.ts', "import { type Ledger } from '../src/ledger/ledger.ts';"],
  ['activities/error.ts', "import { LedgerError } from '../src/ledger/ledger-error.ts';"],
  ['src/partner-api/right.ts', "import { request } from 'undici';\nimport { b } from './index.ts';"],
  ['src/operator/right.ts', "import type { Crm } from '../salesforce/crm.ts';"],
  ['src/cli/right.ts', "import { runWorker } from '../worker/run-worker.ts';"],
  ['playground/start.ts', "import { start } from '../simulators/src/index.ts';"],
  ['playground/right.ts', "import type { Context } from '../src/cli/context.ts';"],
  ['test/unit/right.test.ts', "import { until } from '../../simulators/test/support/index.ts';"],
];

const CIRCLE: readonly (readonly [path: string, source: string])[] = [
  ['src/ledger/one.ts', "import type { Two } from './two.ts';"],
  ['src/ledger/two.ts', "import { one } from './one.ts';"],
];

/** A repository of its own, with this one's packages. */
function plant(files: readonly (readonly [path: string, source: string])[]): string {
  const root = mkdtempSync(join(tmpdir(), 'lockstep-house-'));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const [path, source] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${source}\nexport {};\n`);
  }
  return root;
}

describe('an import', () => {
  let root = '';
  let broken: readonly string[] = [];

  beforeAll(async () => {
    const neighbours = NEIGHBOURS.map((path) => [path, ''] as const);
    const wrong = WRONG.map(([path, source]) => [path, source] as const);
    root = plant([...neighbours, ...wrong, ...RIGHT, ...CIRCLE]);
    // As npm links a workspace: by its name, in a folder that Node looks into before the shared one.
    mkdirSync(join(root, 'src', 'node_modules'));
    symlinkSync(join(root, 'simulators'), join(root, 'src', 'node_modules', 'lockstep-simulators'));
    copyFileSync(join(ROOT, 'simulators', 'package.json'), join(root, 'simulators', 'package.json'));
    broken = await checkImports(root, ['src', 'workflows', 'activities', 'simulators', 'playground', 'test']);
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each(WRONG)('is refused in %s: %s', (path, _source, to) => {
    expect(broken.filter((line) => line.startsWith(`${path} -> `))).toEqual([
      expect.stringMatching(new RegExp(`^${path} -> (.*/)?${to.replaceAll('.', '\\.')}`)),
    ]);
  });

  it.each(RIGHT)('is allowed in %s: %s', (path) => {
    expect(broken.filter((line) => line.startsWith(`${path} -> `))).toEqual([]);
  });

  it('is refused in a circle, types included', () => {
    expect(broken.filter((line) => /^src\/ledger\/(one|two)\./.test(line))).toEqual([
      expect.stringMatching(/one\.ts -> .*two\.ts|two\.ts -> .*one\.ts/),
    ]);
  });
});

it('a Lightning web component that reaches past its own shadow is refused, by Salesforce’s rules', () => {
  const source = [
    "import { LightningElement } from 'lwc';",
    'export default class Wrong extends LightningElement {',
    "  handle() { document.querySelector('p').innerHTML = 'x'; }",
    '}',
  ].join('\n');
  const root = plant([['lwc/wrong/wrong.js', source]]);
  const eslint = join(ROOT, 'node_modules', 'eslint', 'bin', 'eslint.js');
  const args = [eslint, '--config', join(ROOT, 'crm-package', 'eslint.config.mjs'), '.'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  rmSync(root, { recursive: true, force: true });
  expect([...stdout.matchAll(/@lwc\/lwc\/[\w-]+/g)].map(([rule]) => rule)).toEqual([
    '@lwc/lwc/no-document-query',
    '@lwc/lwc/no-inner-html',
  ]);
});

/** The linter reads the types of all that a workflow imports: two seconds on an idle machine. */
const ALL_TYPES_MS = 90_000;

describe('a promise', { timeout: ALL_TYPES_MS }, () => {
  /** The lines of a workflow, its statements from the third on, that the linter refuses. */
  function refusedLines(statements: readonly string[]): readonly number[] {
    const source = [
      `import { decisions } from '${ROOT}/workflows/proxies.ts';`,
      'export async function look(): Promise<void> {',
      ...statements,
      '}',
    ].join('\n');
    const root = plant([['workflows/floating.ts', source]]);
    copyFileSync(join(ROOT, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ extends: join(ROOT, 'tsconfig.json') }));
    const oxlint = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const args = [oxlint, '--type-aware', '--format', 'unix', 'workflows'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    rmSync(root, { recursive: true, force: true });
    return [...stdout.matchAll(/floating\.ts:(\d+):/g)].map(([, line]) => Number(line));
  }

  it('of a proxied activity floats nowhere, not even on purpose', () => {
    const floating = ['decisions.planSync({} as never);', 'void decisions.planSync({} as never);'];
    const asked = ['if (decisions.planSync({} as never)) return;'];
    expect(refusedLines(['await decisions.planSync({} as never);', ...floating, ...asked])).toEqual([4, 5, 6]);
  });
});
