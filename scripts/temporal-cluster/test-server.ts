/**
 * `npm run test:server`: runs the tests and benchmarks of the whole stack on a real Temporal server with PostgreSQL, which it builds with Go at
 * the first call. The Temporal UI is not part of the server, so its test is left out.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { processEnvironment } from '../../src/platform/settings.ts';
import { ROOT, setupPaths } from '../setup/paths.mjs';
import { sentenceFor } from '../setup/problem.mjs';
import { scriptOptions } from '../setup/script-options.mjs';
import { ensureServerPrograms } from './programs.ts';

const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const PARTS: Readonly<Record<string, readonly string[]>> = {
  tests: [VITEST, 'run', '--project', 'e2e', '--project', 'replay', '--exclude', '**/temporal-ui.test.ts'],
  bench: [join(ROOT, 'bench', 'engine.ts'), '--only', 'lone', '--only', 'bulk'],
};

const { only, file } = scriptOptions('test:server');
const say = (line: string) => void process.stderr.write(`${line}\n`);
const env = processEnvironment();
try {
  await ensureServerPrograms(setupPaths(ROOT).log, say);
  const standIn = {
    LOCKSTEP_REAL_TEMPORAL_CLI: env['TEMPORAL_CLI'],
    TEMPORAL_CLI: join(import.meta.dirname, 'temporal.ts'),
  };
  for (const [part, args] of Object.entries(PARTS)) {
    if (only !== null && only !== part) continue;
    const more = part === 'tests' && file !== '' ? [file] : [];
    const { status } = spawnSync(process.execPath, [...args, ...more], {
      cwd: ROOT,
      env: { ...env, ...standIn },
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = status ?? 1;
  }
} catch (error) {
  say(sentenceFor(error));
  process.exitCode = 1;
}
