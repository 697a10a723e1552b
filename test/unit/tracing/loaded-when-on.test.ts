import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FILES = ['src', 'workflows', 'activities'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

/** The files that import by a text, when they are loaded themselves; types are gone by then. */
function importersOf(imported: RegExp): readonly string[] {
  const statements = /^(?:import|export)(?! type)\s[^;]*?from\s+'([^']+)'/gm;
  return FILES.filter((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(statements)].some(([, from = '']) => imported.test(from)),
  );
}

it('loads OpenTelemetry with the two files that only traces are opened with', () => {
  const users = ['src/tracing/sdk-tracing.ts', 'src/tracing/span-queue.ts'];
  expect(importersOf(/^@opentelemetry\//)).toEqual(users);
  expect(importersOf(/\/span-queue\.ts$/)).toEqual(['src/tracing/sdk-tracing.ts']);
  expect(importersOf(/\/sdk-tracing\.ts$/)).toEqual([]);
});

it('bundles what traces a run with no workflow by itself', () => {
  expect(importersOf(/\/run-trace\.ts$/)).toEqual([]);
});
