import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const POLL_MS = 25;
const FAST_STOP_MS = 15_000;
const IMMEDIATE_STOP_MS = 5_000;

/** A setting in the server's command line that names the process that started it. */
export const OWNER_SETTING = 'lockstep.owner_pid';

/**
 * Frees a data directory for a new server: stops a server of an earlier run that is still alive, and removes the pid file of a dead one
 * whose pid another program has. Only a pid whose command line names this directory gets a signal. Throws an error, one sentence for a
 * person, if the server belongs to a live Lockstep process, or cannot be stopped.
 */
export async function clearLeftover(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const pid = await recordedPid(pidFile);
  if (pid === null || !isAlive(pid)) return; // PostgreSQL itself overwrites the file of a dead server.
  const command = await commandLine(pid);
  if (command === null || !isServerOn(command, dataDir)) {
    await rm(pidFile, { force: true });
    return;
  }
  const owner = ownerOf(command);
  if (owner !== null && owner === (await parentOf(pid))) {
    throw new Error(`The data in ${dataDir} is in use by process ${owner}: stop that one first.`);
  }
  await stopServer(pid, dataDir);
}

/** Sends SIGINT (fast), SIGQUIT (immediate) and SIGKILL in turn, each with a timeout; returns once the process has ended. */
export async function stopServer(pid: number, dataDir: string): Promise<void> {
  const steps = [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
    ['SIGKILL', IMMEDIATE_STOP_MS],
  ] as const;
  for (const [signal, timeoutMs] of steps) {
    if (!sendSignal(pid, signal)) return;
    if (await isGone(pid, timeoutMs)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) on ${dataDir} does not stop.`);
}

async function recordedPid(pidFile: string): Promise<number | null> {
  const text = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number.parseInt(text.split('\n', 1)[0] ?? '', 10);
  return pid > 1 ? pid : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw new Error(`PostgreSQL (process ${pid}) belongs to another user and cannot be stopped from here.`);
  }
}

async function isGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    // A zombie has an empty command line: it has ended, but its parent has not yet waited for it.
    if (!isAlive(pid) || (await commandLine(pid)) === null) return true;
    await delay(POLL_MS);
  }
  return false;
}

/** The arguments of a process joined by spaces; null if it does not run. On Linux it is read from /proc. */
async function commandLine(pid: number): Promise<string | null> {
  if (platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return text === '' ? null : text.split('\0').join(' ').trim();
  }
  const shown = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => null);
  const text = shown?.stdout.trim() ?? '';
  return text === '' ? null : text;
}

async function parentOf(pid: number): Promise<number | null> {
  if (platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0) || null;
  }
  const shown = await run('ps', ['-o', 'ppid=', '-p', String(pid)]).catch(() => null);
  return Number(shown?.stdout.trim() ?? 0) || null;
}

function isServerOn(command: string, dataDir: string): boolean {
  return command.includes('postgres') && `${command} `.includes(` -D ${dataDir} `);
}

function ownerOf(command: string): number | null {
  const found = new RegExp(`${OWNER_SETTING.replace('.', '\\.')}=(\\d+)`).exec(command);
  return found === null ? null : Number(found[1]);
}
