import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../support/import-rules/check-file.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['src', 'workflows', 'activities', 'test'];

function sourceFiles(): readonly string[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return ['temporal.config.ts', ...files.filter((name) => name.endsWith('.ts'))];
}

describe('the layers of the repository', () => {
  it('holds in every source file', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap((path) => checkFile(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });
});

describe('the guard itself', () => {
  it.each([
    ['src/domain/a.ts', "import { z } from 'zod';"],
    ['src/domain/a.ts', "import type { Ledger } from '../ledger/ledger.ts';"],
    ['src/domain/a.ts', "import { readFileSync } from 'node:fs';"],
    ['src/domain/mapping/a.ts', "export { x } from '../../platform/secret.ts';"],
    ['src/domain/a.ts', "const z = await import('zod');"],
    ['src/domain/a.ts', 'const z = await import(name);'],
    ['workflows/a.ts', "import { createActivities } from '../activities/index.ts';"],
    ['workflows/a.ts', "import { Client } from '@temporalio/client';"],
    ['workflows/a.ts', "import { createHash } from 'node:crypto';"],
    ['activities/a.ts', "import { openLedger } from '../src/ledger/open.ts';"],
    ['activities/a.ts', "import type { Input } from '../workflows/messages.ts';"],
    ['src/partner-api/a.ts', "import type { Text } from '../domain/canonical.ts';"],
    ['src/salesforce/a.ts', "import type { Ledger } from '../ledger/ledger.ts';"],
    ['src/worker/a.ts', "import { startWebhookServer } from '../webhooks/server.ts';"],
    ['src/simulators/partner/a.ts', "import { forecast } from '../../domain/values/forecast.ts';"],
    ['src/worker/a.ts', 'const home = process.env.HOME;'],
    ['src/worker/a.ts', "const home = process['env'].HOME;"],
    ['src/domain/a.ts', 'const now = Date.now();'],
    ['src/domain/a.ts', 'const now = new Date();'],
    ['src/cli/a.ts', 'export const x = 1;\n'.repeat(401)],
  ])('refuses in %s: %s', (path, source) => {
    expect(checkFile(path, source)).toHaveLength(1);
  });

  it.each([
    ['src/domain/a.ts', "import { Decimal } from 'decimal.js';\nconst day = new Date(text);"],
    ['workflows/a.ts', "import type { Activities } from '../activities/index.ts';"],
    ['activities/a.ts', "import type { Ledger } from '../src/ledger/ledger.ts';"],
    ['activities/a.ts', "import { type Ledger } from '../src/ledger/ledger.ts';"],
    ['src/partner-api/a.ts', "import { request } from 'undici';\nimport { b } from './b.ts';"],
    ['src/cli/a.ts', "import { runWorker } from '../worker/run-worker.ts';"],
    ['src/platform/settings.ts', 'export const env = process.env;'],
  ])('allows in %s: %s', (path, source) => {
    expect(checkFile(path, source)).toEqual([]);
  });
});
