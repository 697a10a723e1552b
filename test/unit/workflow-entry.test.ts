import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { STREAM_NAMES } from '../../src/domain/streams/streams.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const nameOf = (file: string): string =>
  file.replace('.ts', '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A workflow is the function that its file is named after. */
const WORKFLOWS = readdirSync(new URL('../../workflows/', import.meta.url))
  .map((file) => ({ name: nameOf(file), file }))
  .filter(({ name, file }) => read(`workflows/${file}`).includes(`export async function ${name}(`))
  .filter(({ name }) => name !== 'carryOut');

it('every workflow is exported by the bundle’s entry', () => {
  expect(WORKFLOWS.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['guardTenant', 'pollVendor', 'sweepSalesforce', 'syncOpportunity']),
  );
  const entry = read('workflows/index.ts');
  const missing = WORKFLOWS.filter(
    ({ name, file }) => !entry.includes(`export { ${name} } from './${file}';`),
  );
  expect(
    missing.map(({ name, file }) => `${name} of workflows/${file}: export it from workflows/index.ts`),
  ).toEqual([]);
});

it('every stream has the workflow that its schedule starts, and it reads that stream', () => {
  const known = WORKFLOWS.map(({ name, file }) => ({ name, source: read(`workflows/${file}`) }));
  const missing = STREAM_NAMES.filter(
    (stream) =>
      !known.some(
        ({ name, source }) => name === stream && source.includes(`readStream('${stream}', tenant)`),
      ),
  );
  expect(
    missing.map(
      (name) => `${name}: a file in workflows/ exports it, and calls readStream('${name}', tenant)`,
    ),
  ).toEqual([]);
});
