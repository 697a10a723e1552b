import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SetupProblem } from './problem.mjs';

const POLL_MS = 500;
const WAIT_LIMIT_MS = 15 * 60_000;

/**
 * Runs `work` while this process alone holds the lock file; waits for another set-up that is alive, and takes over
 * the lock of one that is not (killed, or the machine restarted).
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {(holder: number) => void} [waiting] called once when another set-up is being waited for
 * @returns {Promise<T>}
 */
export async function withLock(file, work, waiting) {
  const mine = `${process.pid} ${commandOf(process.pid)}\n`;
  mkdirSync(dirname(file), { recursive: true });
  const started = performance.now();
  let announced = false;
  while (!take(file, mine)) {
    const holder = Number.parseInt(read(file) ?? '', 10);
    if (performance.now() - started > WAIT_LIMIT_MS) {
      throw new SetupProblem(
        `Another set-up (process ${holder}) has been running for 15 minutes; stop it and start again.`,
      );
    }
    if (!announced && Number.isInteger(holder)) waiting?.(holder);
    announced = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const release = () => releaseIfMine(file, mine);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

/**
 * @param {string} file
 * @param {string} mine
 * @returns {boolean}
 */
function take(file, mine) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    // A link appears whole or not at all: no reader ever sees a lock without its holder.
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    const held = read(file);
    if (held !== null && !isHeld(held)) breakLock(file, held);
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes a stale lock. If two processes find it stale at once, the second has moved a fresh lock aside and puts it back.
 * @param {string} file
 * @param {string} stale
 */
function breakLock(file, stale) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (read(aside) !== stale) {
    try {
      linkSync(aside, file);
    } catch {
      // A third process has taken the lock in the meantime.
    }
  }
  rmSync(aside, { force: true });
}

/**
 * @param {string} held content of the lock file
 * @returns {boolean} whether the process that wrote it still runs (a reused process id does not count)
 */
function isHeld(held) {
  const pid = Number.parseInt(held, 10);
  return Number.isInteger(pid) && isAlive(pid) && held === `${pid} ${commandOf(pid)}\n`;
}

/**
 * @param {number} pid
 * @returns {boolean}
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * @param {number} pid
 * @returns {string} its command line; '' where the system does not tell
 */
export function commandOf(pid) {
  const fromProc = read(`/proc/${pid}/cmdline`);
  if (fromProc !== null) return fromProc.replaceAll('\0', ' ').trim();
  try {
    const options = /** @type {import('node:child_process').ExecFileSyncOptions} */ ({
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], options)
      .toString('utf8')
      .trim();
  } catch {
    return '';
  }
}

/**
 * @param {string} file
 * @param {string} mine
 */
function releaseIfMine(file, mine) {
  if (read(file) === mine) rmSync(file, { force: true });
}

/**
 * @param {string} file
 * @returns {string | null}
 */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
