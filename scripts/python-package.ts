import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** An installed Python program: its interpreter, and the folder for `PYTHONPATH`. */
export type PythonPackage = { readonly python: string; readonly folder: string };

/**
 * Installs a package from PyPI into its own folder below `home`, even if the system's Python refuses installs. The folder is renamed last,
 * so that an interrupted install is repeated. Throws an error of one sentence for the user.
 */
export function installPythonPackage(home: string, name: string, version: string): PythonPackage {
  const python = ['python3', 'python'].find((program) => run(program, ['--version']) === 0);
  if (python === undefined) throw new Error(`There is no Python 3: install one, so that ${name} can run.`);
  const folder = join(home, `${name}-${version}`);
  if (existsSync(folder)) return { python, folder };
  mkdirSync(home, { recursive: true });
  const draft = `${folder}.${process.pid}`;
  process.stderr.write(`installing ${name} ${version} from PyPI\n`);
  const args = ['-m', 'pip', 'install', '--quiet', '--target', draft, `${name}==${version}`];
  if (run(python, args, 2) !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new Error(`${name} ${version} could not be installed from PyPI (see above).`);
  }
  renameSync(draft, folder);
  return { python, folder };
}

function run(program: string, args: readonly string[], output: 'ignore' | 2 = 'ignore'): number {
  return spawnSync(program, args, { stdio: ['ignore', output, output] }).status ?? 1;
}
