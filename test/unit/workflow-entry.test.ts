import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

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

it('every schedule starts a workflow that is there', () => {
  const started = [...read('src/worker/schedules.ts').matchAll(/everyMs, '(\w+)'/g)].map(([, name]) => name);
  expect(started.length).toBeGreaterThan(1);
  const known = WORKFLOWS.map(({ name }) => name);
  expect(started.filter((name) => !known.includes(name ?? ''))).toEqual([]);
});
