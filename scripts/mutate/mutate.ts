/**
 * Changes `src/domain` in thousands of small ways and finds changes that no test notices. Exit code 1 if the score is below that of
 * `stryker.config.json`. Stryker is installed into its own folder below `.lockstep/`, because other users of the tests do not need its 177
 * packages. Further arguments go to `stryker run`, for example `--mutate src/domain/merge/merge.ts`. `at-once.ts` reduces the time to
 * minutes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '10.1.1';
/** The compiler whose programming interface Stryker uses to rewrite the configuration; the project's own compiler has none. */
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

/** Installs Stryker into its own folder, written under a temporary name first. Stryker uses the project's vitest. */
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
