import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { ensureDependencies } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { ensureNativeParts } from './native-parts.mjs';
import { SetupProblem } from './problem.mjs';
import { endLeftover } from './run.mjs';
import { ensureTemporalCli } from './temporal-cli.mjs';

export const OLDEST_NODE = 20;

/**
 * @typedef {object} Provisioned
 * @property {string} node the Node that runs TypeScript
 * @property {string | null} temporal the Temporal CLI; null where it was not asked for
 */

/**
 * Does whatever set-up is still missing. Safe to run twice at once, and after being killed at any moment.
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {{ env: NodeJS.ProcessEnv, needsTemporal: boolean, say: (line: string) => void }} options
 * @returns {Promise<Provisioned>}
 */
export async function provision(paths, { env, needsTemporal, say }) {
  requireNode(process.versions.node);
  prepareHome(paths);
  const waiting = (/** @type {number} */ holder) => say(`waiting for another set-up (process ${holder})`);
  const work = async () => {
    endLeftover(paths.log);
    await ensureDependencies(paths, say);
    const node = await ensureNativeParts(paths);
    const temporal = needsTemporal ? await ensureTemporalCli(paths, env, say) : null;
    return { node, temporal };
  };
  return withLock(paths.lockFile, work, waiting);
}

/**
 * @param {string} version such as 20.11.1
 */
export function requireNode(version) {
  const major = Number.parseInt(version, 10);
  if (major >= OLDEST_NODE) return;
  throw new SetupProblem(
    `Node ${version} is too old: install Node ${OLDEST_NODE} or newer (nodejs.org) and start again.`,
  );
}

/**
 * Deletes a file where the folder should be (from a broken copy or a script); it contains nothing of the set-up.
 * @param {import('./paths.mjs').SetupPaths} paths
 */
function prepareHome(paths) {
  for (const folder of [paths.home, paths.modules]) {
    if (existsSync(folder) && !statSync(folder).isDirectory()) rmSync(folder);
  }
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
}
