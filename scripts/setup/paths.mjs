import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's own folder: the one that holds package.json. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Where state, logs and the set-up's own files of one project folder live.
 * @param {string} root
 */
export function setupPaths(root) {
  const home = join(root, '.lockstep');
  return {
    root,
    home,
    lockFile: join(home, 'setup.lock'),
    log: join(home, 'logs', 'setup.log'),
    localBin: join(home, 'bin'),
    modules: join(root, 'node_modules'),
    stamp: join(root, 'node_modules', '.lockstep-installed'),
    node: join(root, 'node_modules', '.bin', 'node'),
  };
}

/** @typedef {ReturnType<typeof setupPaths>} SetupPaths */

/**
 * The machine-wide folder for programs that every clone can share (XDG base directories).
 * @param {NodeJS.ProcessEnv} env
 * @returns {string}
 */
export function cacheBin(env) {
  const base = env['XDG_CACHE_HOME'];
  return join(base === undefined || base === '' ? join(homedir(), '.cache') : base, 'lockstep', 'bin');
}
