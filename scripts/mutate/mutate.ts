/**
 * Changes `src/domain` in thousands of small ways and sees which of them no test notices. Ends with 1 below the score of
 * `stryker.config.json`. Stryker comes from npm into a folder of its own under `.lockstep/`: its 177 packages are
 * nobody's business who only runs the tests. Further arguments go to `stryker run`, such as `--mutate src/domain/merge/merge.ts`.
 * `at-once.ts` makes it a matter of minutes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '10.1.1';
/** The compiler's programming interface, which Stryker rewrites the configuration with; the project's own has none. */
const COMPILER = 'typescript@5.9.3';
const ROOT = join(import.meta.dirname, '..', '..');
const HOME = join(ROOT, '.lockstep', 'mutate');
const PACKAGES = join(HOME, `stryker-${VERSION}`);
const CONFIG = join(import.meta.dirname, 'stryker.config.json');

process.exitCode = mutate(process.argv.slice(2));

function mutate(args: readonly string[]): number {
  if (!install()) {
    process.stderr.write(`Stryker ${VERSION} could not be installed from npm (see above).\n`);
    return 1;
  }
  const packages = join(PACKAGES, 'node_modules', '@stryker-mutator');
  const program = join(packages, 'core', 'bin', 'stryker.js');
  const runner = join(packages, 'vitest-runner', 'dist', 'src');
  const plugins = [join(runner, 'index.js'), join(import.meta.dirname, 'at-once.ts')].join(',');
  process.env['LOCKSTEP_VITEST_RUNNER'] = join(runner, 'vitest-test-runner.js');
  return run(process.execPath, [program, 'run', CONFIG, '--plugins', plugins, ...args]);
}

/** Into a folder of its own, written under another name first. It tests with the project's vitest. */
function install(): boolean {
  if (existsSync(PACKAGES)) return true;
  const draft = `${PACKAGES}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
  process.stderr.write(`installing Stryker ${VERSION} from npm\n`);
  const names = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  const options = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--prefix', draft];
  const code = run('npm', ['install', ...options, ...names, COMPILER]);
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    return false;
  }
  symlinkSync(join(ROOT, 'node_modules', 'vitest'), join(draft, 'node_modules', 'vitest'));
  renameSync(draft, PACKAGES);
  return true;
}

function run(program: string, args: readonly string[]): number {
  return spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}
