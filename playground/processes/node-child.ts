import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../../src/platform/start-error.ts';
import { isReport } from './child-report.ts';
import { endProcess } from './os-process.ts';
import type { Running } from './supervise.ts';

const READY_LIMIT_MS = 90_000;
const POLL_MS = 100;
const GRACE_MS = 12_000;

export type NodeChildOptions = {
  readonly name: string;
  /** The script that Node runs. */
  readonly entry: string;
  readonly args: readonly string[];
  /** Flags of Node. */
  readonly flags?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  /** An abort cancels the start. */
  readonly signal?: AbortSignal;
  /** Polled until it is true. Absent: the child itself reports that it is ready. */
  readonly isReady?: () => Promise<boolean>;
};

/**
 * Starts a process of this repository with its output in a log file, and waits until it is ready. It has its own process group, so that
 * Ctrl-C reaches only the parent, and it ends when the IPC channel closes.
 */
export async function startNodeChild<T = unknown>(options: NodeChildOptions): Promise<Running & { info: T }> {
  const log = openSync(options.logFile, 'a', 0o600);
  const child = fork(options.entry, [...options.args], {
    execArgv: [...process.execArgv, ...(options.flags ?? [])],
    env: { ...options.env, LOCKSTEP_LOG_FORMAT: 'json' },
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  closeSync(log);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  const stop = () => stopChild(child);
  try {
    const info = await ready<T>(child, options, exited);
    return { exited, stop, info };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

async function ready<T>(child: ChildProcess, options: NodeChildOptions, exited: Promise<string>): Promise<T> {
  const over = new AbortController();
  const given = options.signal ?? over.signal;
  const signal = AbortSignal.any([over.signal, given, AbortSignal.timeout(READY_LIMIT_MS)]);
  const failed = exited.then((how) => {
    throw new StartError(`The ${options.name} did not start (${how}): ${lastLine(options.logFile)}`);
  });
  const late = new Promise<never>((_, reject) => {
    const sentence = `The ${options.name} was not ready in ${READY_LIMIT_MS / 1000} s; see ${options.logFile}.`;
    signal.addEventListener('abort', () => reject(new StartError(sentence)), { once: true });
  });
  try {
    const isReady = options.isReady;
    return await Promise.race([isReady ? pollReady<T>(isReady, signal) : reported<T>(child), failed, late]);
  } finally {
    over.abort();
    failed.catch(() => {});
    late.catch(() => {});
  }
}

async function pollReady<T>(isReady: () => Promise<boolean>, signal: AbortSignal): Promise<T> {
  while (!signal.aborted) {
    if (await isReady()) break;
    await delay(POLL_MS);
  }
  return undefined as T;
}

function reported<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (isReport(message)) resolve(message.ready as T);
    });
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  if (child.pid !== undefined && isAlive()) await endProcess(child.pid, isAlive, GRACE_MS);
}

/** The last log line of a failed process; its message if the line is JSON. */
function lastLine(logFile: string): string {
  const line = readFileSync(logFile, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  try {
    const { msg } = JSON.parse(line) as { msg?: unknown };
    return typeof msg === 'string' ? msg : line;
  } catch {
    return line === '' ? `see ${logFile}` : line;
  }
}
