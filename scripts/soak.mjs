/**
 * `npm run soak -- --runs N [--properties N] [--seed S]`: many more random stories through the engine than a test run plays, and the
 * properties of the tests with other values. What fails is printed in its shortest form.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup/paths.mjs';
import { scriptOptions } from './setup/script-options.mjs';

const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const STORIES = 'test/property/engine-model.test.ts';

const { runs, properties, ...given } = scriptOptions('soak');
const seed = given.seed || String(Math.floor(Math.random() * 2 ** 31));
console.log(`${runs} stories and ${properties} times all properties from seed ${seed}`);
if (runs > 0) await play([STORIES], { LOCKSTEP_STORIES: String(runs), LOCKSTEP_STORY_SEED: seed });
for (let round = 0; round < properties && !process.exitCode; round += 1)
  await play(filesOfProperties(), { LOCKSTEP_PROPERTY_SEED: String(Number(seed) + round) });

/**
 * Runs test files; the process fails with the first of them that do.
 * @param {readonly string[]} files
 * @param {Record<string, string>} settings
 */
async function play(files, settings) {
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, [VITEST, 'run', ...files], { cwd: ROOT, stdio: 'inherit', env });
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}

/** The test files that try laws with values drawn at random. */
function filesOfProperties() {
  return globSync('{test,simulators/test}/**/*.test.ts', { cwd: ROOT }).filter((file) =>
    readFileSync(join(ROOT, file), 'utf8').includes('support/properties.ts'),
  );
}
