import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setupEnvironment } from './environment.mjs';
import { commandOf } from './lock.mjs';
import { ROOT } from './paths.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string} log file that the program's output is appended to
 * @property {string} [cwd]
 * @property {number} limitMs the program is killed after this long
 * @property {number} [stallMs] it is also killed when `measure` did not grow for this long
 * @property {() => number} [measure] bytes done so far
 * @property {(seconds: number) => void} [tick] called every five seconds while it runs
 */

/**
 * @typedef {object} RunResult
 * @property {number} code exit code; -1 when it could not start or was killed
 * @property {string} output the last 20,000 characters of what it printed
 * @property {boolean} missing the program does not exist
 * @property {boolean} timedOut it was stopped at its limit
 */

const TICK_MS = 5000;
const WATCH_MS = 250;
const KEPT_CHARACTERS = 20_000;

/**
 * Runs a program with its output in a log file and with a reduced environment. Never throws, even if the program fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<RunResult>}
 */
export function run(command, args, options) {
  mkdirSync(dirname(options.log), { recursive: true });
  const log = createWriteStream(options.log, { flags: 'a', mode: 0o600 });
  log.on('error', () => {});
  log.write(`\n$ ${command} ${args.join(' ')}\n`);
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: setupEnvironment(process.env, ROOT),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  if (child.pid !== undefined) writeFileSync(pidFile(options.log), `${child.pid} ${commandOf(child.pid)}`);
  let output = '';
  let missing = false;
  let timedOut = false;
  /** @param {Buffer} chunk */
  const keep = (chunk) => {
    log.write(chunk);
    output = (output + chunk.toString('utf8')).slice(-KEPT_CHARACTERS);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const stop = () => killGroup(child.pid);
  const unwatch = watch(options, () => {
    timedOut = true;
    stop();
  });
  process.once('exit', stop);
  return new Promise((resolve) => {
    /** @param {number} code */
    const finish = (code) => {
      unwatch();
      process.removeListener('exit', stop);
      rmSync(pidFile(options.log), { force: true });
      log.end(() => resolve({ code, output, missing, timedOut }));
    };
    child.once('error', (error) => {
      missing = /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
      output += error.message;
      finish(-1);
    });
    child.once('close', (code) => finish(code ?? -1));
  });
}

/**
 * What a program says of its version. Throws where it does not run.
 * @param {string} file
 * @returns {string}
 */
export function versionText(file) {
  const env = setupEnvironment(process.env, ROOT);
  return execFileSync(file, ['--version'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000,
    env,
  }).toString('utf8');
}

/**
 * Ends a program that a killed set-up started with this log and that still runs, because it would write into files that this set-up makes.
 * @param {string} log
 */
export function endLeftover(log) {
  let text;
  try {
    text = readFileSync(pidFile(log), 'utf8');
  } catch {
    return;
  }
  const pid = Number.parseInt(text, 10);
  const command = text.slice(String(pid).length + 1);
  if (Number.isInteger(pid) && command !== '' && commandOf(pid) === command) killGroup(pid);
  rmSync(pidFile(log), { force: true });
}

/**
 * @param {string} log
 * @returns {string}
 */
function pidFile(log) {
  return `${log}.pid`;
}

/**
 * Ticks every five seconds and calls `expire` when the time limit or the stall limit is reached.
 * @param {RunOptions} options
 * @param {() => void} expire
 * @returns {() => void} ends the watch
 */
function watch(options, expire) {
  const started = performance.now();
  let grownAt = started;
  let tickedAt = started;
  let size = -1;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - tickedAt >= TICK_MS) {
      tickedAt = now;
      options.tick?.(Math.round((now - started) / 1000));
    }
    const measured = options.measure?.() ?? size;
    if (measured > size) grownAt = now;
    size = Math.max(size, measured);
    const isStalled = options.stallMs !== undefined && now - grownAt >= options.stallMs;
    if (isStalled || now - started >= options.limitMs) expire();
  }, WATCH_MS);
  return () => clearInterval(timer);
}

/**
 * Ends a program and its child processes. The program leads its own process group, so no other process is affected.
 * @param {number | undefined} pid
 */
function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process ended in the meantime.
  }
}
