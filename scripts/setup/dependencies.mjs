import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join, sep } from 'node:path';
import { SetupProblem, saysDiskFull, saysNoNetwork } from './problem.mjs';
import { run } from './run.mjs';
import { removeSpareParts } from './spare-parts.mjs';

const INSTALL_LIMIT_MS = 15 * 60_000;

/**
 * Installs the locked dependencies unless they are already there, whole, and for this platform. The stamp is
 * written last, so an install that was killed half-way is done again by the next start.
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {(line: string) => void} say
 */
export async function ensureDependencies(paths, say) {
  const wanted = wantedStamp(paths);
  if (readStamp(paths) === wanted) return;
  if (!isAlreadyInstalled(paths)) await install(paths, say);
  removeSpareParts(paths.modules);
  writeFileSync(paths.stamp, wanted);
}

/**
 * @param {import('./paths.mjs').SetupPaths} paths
 * @returns {string} what the stamp must hold for the present lock file on this platform
 */
export function wantedStamp(paths) {
  const lock = readFileSync(join(paths.root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}\n`;
}

/**
 * @param {import('./paths.mjs').SetupPaths} paths
 * @returns {string | null}
 */
function readStamp(paths) {
  try {
    return readFileSync(paths.stamp, 'utf8');
  } catch {
    return null;
  }
}

/**
 * A developer's own `npm install` leaves no stamp. npm writes its hidden lock file when it is done; where that agrees
 * with package-lock.json, nothing has to be installed again.
 * @param {import('./paths.mjs').SetupPaths} paths
 * @returns {boolean}
 */
function isAlreadyInstalled(paths) {
  const hidden = readPackages(join(paths.modules, '.package-lock.json'));
  const wanted = readPackages(join(paths.root, 'package-lock.json'));
  if (hidden === null || wanted === null) return false;
  for (const [name, { version, optional, os, cpu, libc }] of Object.entries(wanted)) {
    if (name === '') continue;
    const isForUs = os?.includes(process.platform) === true && cpu?.includes(process.arch) === true;
    const mayBeAbsent = optional === true && !(isForUs && libc === undefined);
    const there = hidden[name];
    if (there === undefined && mayBeAbsent) continue;
    if (there?.version !== version || !existsSync(join(paths.root, name, 'package.json'))) return false;
  }
  return true;
}

/**
 * @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage
 * @param {string} file
 * @returns {Record<string, LockedPackage> | null}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}

/**
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {(line: string) => void} say
 */
async function install(paths, say) {
  say('installing the dependencies, about a minute');
  const npm = npmCommand(process.env, paths.modules);
  // Deletes the folder first, so that half-unpacked packages of a killed install cannot stay. `npm ci` is not used, because it refuses a
  // lock file that does not list every platform's variant of an optional package, and npm omits such variants if it writes the file without
  // a registry that has them. The locked versions and checksums apply here too, and the lock file is not changed.
  rmSync(paths.modules, { recursive: true, force: true });
  // No script of a package runs, because it is code of others that no checksum covers once it downloads more. What
  // scripts would have done for PostgreSQL's libraries, native-parts.mjs does.
  const flags = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--include=dev',
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
  ];
  const result = await run(npm.command, [...npm.args, ...flags], {
    cwd: paths.root,
    log: paths.log,
    limitMs: INSTALL_LIMIT_MS,
    tick: (seconds) => say(`  still installing, ${seconds} s`),
  });
  if (result.code === 0) return;
  throw new SetupProblem(installSentence(result, paths.log));
}

/**
 * @param {import('./run.mjs').RunResult} result
 * @param {string} log
 * @returns {string}
 */
function installSentence(result, log) {
  if (result.missing) return 'npm was not found; install Node 20 or newer together with npm and start again.';
  if (result.timedOut)
    return 'The dependencies were not installed within 15 minutes; check the network and start again.';
  if (saysDiskFull(result.output)) return 'The dependencies do not fit on the disk; free about 1 GB and start again.';
  if (saysNoNetwork(result.output))
    return 'The npm registry cannot be reached; check the network (or the npm proxy settings) and start again.';
  return `The dependencies could not be installed (npm ended with ${result.code}); the reason is in ${log}.`;
}

/**
 * The npm that started this process, else the npm on PATH. It runs on a Node outside `modules` if possible, because a Node or npm inside
 * that folder disappears while the dependencies are installed.
 * @param {NodeJS.ProcessEnv} env
 * @param {string | null} [modules] the folder of the dependencies if it is about to be deleted
 * @returns {{ command: string, args: string[] }}
 */
export function npmCommand(env, modules = null) {
  const script = env['npm_execpath'];
  const isNpm = script !== undefined && /npm-cli\.c?js$/.test(script) && existsSync(script);
  if (!isNpm) return { command: 'npm', args: [] };
  return { command: lastingNode(env, modules), args: [script] };
}

/**
 * The Node that runs npm, else this process's Node. If it is inside `modules`, the first Node on PATH that is not.
 * @param {NodeJS.ProcessEnv} env
 * @param {string | null} modules the folder of the dependencies; null if it is not deleted
 * @returns {string}
 */
function lastingNode(env, modules) {
  const first = env['npm_node_execpath'] || process.execPath;
  if (modules === null || lasts(first, modules)) return first;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const others = folders.map((folder) => join(folder, basename(process.execPath)));
  return others.find((file) => lasts(file, modules)) ?? first;
}

/**
 * @param {string} file
 * @param {string} modules
 * @returns {boolean} whether the program is there, and still is without the dependencies
 */
function lasts(file, modules) {
  if (!existsSync(file)) return false;
  return !existsSync(modules) || !realpathSync(file).startsWith(`${realpathSync(modules)}${sep}`);
}
