import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;

/** The command line of a process; '' if it does not run or the system hides it. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return process.platform === 'linux' ? '' : commandByPs(pid);
  }
}

function commandByPs(pid: number): string {
  try {
    const args = ['-o', 'command=', '-p', String(pid)];
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** Ids of this machine's processes whose command line matches. */
export function findProcesses(fits: (command: string) => boolean): readonly number[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && fits(commandOf(pid)));
  }
  const listed = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [, pid, command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid !== undefined && fits(command) ? [Number(pid)] : [];
  });
}

/** Sends SIGTERM, and SIGKILL if the process has not ended after `graceMs`. `isAlive` checks that the pid is still the intended process. */
export async function endProcess(pid: number, isAlive: () => boolean, graceMs: number): Promise<void> {
  send(pid, 'SIGTERM');
  if (await gone(isAlive, graceMs)) return;
  send(pid, 'SIGKILL');
  await gone(isAlive, graceMs);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended in the meantime.
  }
}

async function gone(isAlive: () => boolean, limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs;
  while (isAlive()) {
    if (performance.now() >= until) return false;
    await delay(POLL_MS);
  }
  return true;
}
