import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';

/** @type {readonly NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const PARENT_POLL_MS = 1000;

/**
 * Runs one program in our place: same terminal, signals passed on. With `channel`, a channel to it closes when we die
 * by whatever cause, so that it can end too.
 * @param {string} node
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, channel: boolean }} options
 * @returns {Promise<number>} its exit code, or 128 and the signal's number
 */
export function runChild(node, args, { cwd, env, channel }) {
  const stdio = /** @type {import('node:child_process').StdioOptions} */ ([
    'inherit',
    'inherit',
    'inherit',
    ...(channel ? ['ipc'] : []),
  ]);
  const child = spawn(node, args, { cwd, env, stdio });
  const handlers = FORWARDED.map((signal) => {
    const handler = () => void child.kill(signal);
    process.on(signal, handler);
    return () => process.removeListener(signal, handler);
  });
  const unwatch = watchNpm(env, () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      unwatch();
      for (const remove of handlers) remove();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/**
 * npm that is killed tells its script nothing: then the script gets another parent.
 * @param {NodeJS.ProcessEnv} env
 * @param {() => void} gone
 * @returns {() => void} ends the watch
 */
function watchNpm(env, gone) {
  if (env['npm_lifecycle_event'] === undefined) return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, PARENT_POLL_MS);
  return () => clearInterval(timer);
}

/**
 * The environment of everything that runs after the set-up: Node 24 first on PATH, the Temporal CLI by name, and a folder for
 * the code that Node has compiled, which many processes share.
 * @param {NodeJS.ProcessEnv} env
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {string | null} temporal
 * @returns {NodeJS.ProcessEnv}
 */
export function childEnvironment(env, paths, temporal) {
  const path = [join(paths.modules, '.bin'), env['PATH'] ?? ''].join(delimiter);
  const compiled = env['NODE_COMPILE_CACHE'] ?? join(paths.modules, '.cache', 'node');
  return {
    ...env,
    PATH: path,
    NODE_COMPILE_CACHE: compiled,
    ...(temporal === null ? {} : { TEMPORAL_CLI: temporal }),
  };
}
