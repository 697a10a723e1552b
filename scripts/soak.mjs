/**
 * `npm run soak -- --runs N [--seed S]`: many more random stories through the engine than a test run plays. A failing
 * one prints its shortest story.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './setup/paths.mjs';
import { scriptOptions } from './setup/script-options.mjs';

const { runs, ...given } = scriptOptions('soak');
const seed = given.seed || String(Math.floor(Math.random() * 2 ** 31));
console.log(`${runs} stories from seed ${seed}`);
const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const args = [vitest, 'run', '--project', 'property', 'test/property/engine-model.test.ts'];
const env = { ...process.env, LOCKSTEP_STORIES: String(runs), LOCKSTEP_STORY_SEED: seed };
spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env }).on('exit', (code) => {
  process.exitCode = code ?? 1;
});
