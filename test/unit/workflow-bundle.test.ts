import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { workflowBundle } from '../../src/worker/workflow-bundle.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-bundle-'));
});
afterEach(() => rm(folder, { recursive: true }));

function counting() {
  let made = 0;
  const bundle = async () => {
    made += 1;
    return { code: `made ${made}` };
  };
  return { bundle, made: () => made };
}

it('is made once, and kept', async () => {
  const { bundle, made } = counting();
  const cache = join(folder, 'deep', 'workflows.js');
  for (let start = 0; start < 3; start += 1)
    expect(await workflowBundle({ cache, bundle })).toEqual({ code: 'made 1' });
  expect(made()).toBe(1);
});

it('is made again where what is kept is of other sources, or cut off', async () => {
  const { bundle } = counting();
  const cache = join(folder, 'workflows.js');
  await workflowBundle({ cache, bundle });
  const kept = await readFile(cache, 'utf8');
  await writeFile(cache, kept.replace(/^\/\/ ./, '// x'));
  expect(await workflowBundle({ cache, bundle })).toEqual({ code: 'made 2' });
  await writeFile(cache, kept.slice(0, 40));
  expect(await workflowBundle({ cache, bundle })).toEqual({ code: 'made 3' });
});

it('is made at each start where nothing can be kept', async () => {
  const { bundle, made } = counting();
  await writeFile(join(folder, 'file'), '');
  const cache = join(folder, 'file', 'workflows.js');
  for (let start = 1; start <= 2; start += 1) await workflowBundle({ cache, bundle });
  expect(made()).toBe(2);
});

it('of a package is the one that came with it', async () => {
  const { bundle, made } = counting();
  const prepared = join(folder, 'workflow-bundle.js');
  await writeFile(prepared, 'brought');
  expect(await workflowBundle({ prepared, cache: join(folder, 'cache'), bundle })).toEqual({
    code: 'brought',
  });
  expect(made()).toBe(0);
});
