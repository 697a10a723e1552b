import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { STREAM_NAMES } from '../../src/domain/streams/streams.ts';
import { WORKFLOW_FILES } from '../support/workflow-files.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('every workflow is exported by the bundle’s entry', () => {
  expect(WORKFLOW_FILES.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['guardTenant', 'pollVendor', 'sweepSalesforce', 'syncOpportunity']),
  );
  const entry = read('workflows/index.ts');
  const missing = WORKFLOW_FILES.filter(
    ({ name, file }) => !entry.includes(`export { ${name} } from './${file}';`),
  );
  expect(
    missing.map(({ name, file }) => `${name} of workflows/${file}: export it from workflows/index.ts`),
  ).toEqual([]);
});

it('every stream has the workflow that its schedule starts, and it reads that stream', () => {
  const missing = STREAM_NAMES.filter(
    (stream) =>
      !WORKFLOW_FILES.some(
        ({ name, source }) => name === stream && source.includes(`readStream('${stream}', tenant)`),
      ),
  );
  expect(
    missing.map(
      (name) => `${name}: a file in workflows/ exports it, and calls readStream('${name}', tenant)`,
    ),
  ).toEqual([]);
});
