import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../src/platform/start-error.ts';
import { commandOf } from '../processes/os-process.ts';

/** The folder of one running `lockstep up`. */
export type Home = {
  readonly dir: string;
  readonly logs: string;
  /** True if the folder is deleted at the end, with all data in it. */
  readonly throwAway: boolean;
};

const PID_FILE = 'up.pid';
/** Marks a folder whose whole content Lockstep made and may delete. */
const MARKER = '.made-by-lockstep';
/** Entries from the installation, which `--fresh` keeps. */
const KEPT_WHEN_FRESH = new Set(['bin', 'logs', 'mutate', 'setup.lock', MARKER]);
const ONCE_PREFIX = 'once-';

/** Opens the permanent home. Throws if another `lockstep up` uses it, or if `fresh` would delete files that are not Lockstep's. */
export function openHome(dir: string, fresh: boolean): Home {
  makeFolder(dir);
  const holder = holderOf(dir);
  if (holder !== null && holder !== process.pid) {
    throw new StartError(`Lockstep runs here already (process ${holder}): stop it first, or use --once beside it.`);
  }
  markOwn(dir);
  if (fresh) wipe(dir);
  takeHome(dir);
  removeAbandoned(dir);
  return { dir, logs: makeFolder(join(dir, 'logs')), throwAway: false };
}

/** Opens a temporary home for a run that leaves only its logs. */
export function openThrowAwayHome(base: string): Home {
  makeFolder(base);
  removeAbandoned(base);
  const dir = makeFolder(join(base, `${ONCE_PREFIX}${process.pid}`));
  takeHome(dir);
  return { dir, logs: makeFolder(join(base, 'logs', `${ONCE_PREFIX}${process.pid}`)), throwAway: true };
}

/** Releases the home. A temporary one is deleted, and its logs too if the run succeeded. */
export function closeHome(home: Home, succeeded: boolean): void {
  rmSync(join(home.dir, PID_FILE), { force: true });
  if (!home.throwAway) return;
  rmSync(home.dir, { recursive: true, force: true });
  if (succeeded) rmSync(home.logs, { recursive: true, force: true });
}

function takeHome(dir: string): void {
  writeFileSync(join(dir, PID_FILE), `${process.pid} ${commandOf(process.pid)}\n`, { mode: 0o600 });
}

/** The process that uses a home; null if it ended, even if another program has its process id. */
function holderOf(dir: string): number | null {
  let text: string;
  try {
    text = readFileSync(join(dir, PID_FILE), 'utf8');
  } catch {
    return null;
  }
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && text === `${pid} ${commandOf(pid)}\n` ? pid : null;
}

/** Marks a folder as Lockstep's if it contains nothing else. */
function markOwn(dir: string): void {
  const isOurs = readdirSync(dir).every((name) => KEPT_WHEN_FRESH.has(name) || name.startsWith(ONCE_PREFIX));
  if (isOurs) writeFileSync(join(dir, MARKER), '', { mode: 0o600 });
}

/** Deletes the content of a home. Refuses a folder without the marker, because a wrong path would lose all its files. */
function wipe(dir: string): void {
  if (!existsSync(join(dir, MARKER))) {
    throw new StartError(
      `${dir} holds files that may not be Lockstep's, so --fresh does not delete it: delete it yourself, or name another with LOCKSTEP_HOME.`,
    );
  }
  for (const name of readdirSync(dir)) {
    if (KEPT_WHEN_FRESH.has(name) || name.startsWith(ONCE_PREFIX)) continue;
    rmSync(join(dir, name), { recursive: true, force: true });
  }
}

/** Deletes temporary homes of killed runs. */
function removeAbandoned(base: string): void {
  for (const name of readdirSync(base)) {
    const dir = join(base, name);
    if (!name.startsWith(ONCE_PREFIX) || holderOf(dir) !== null) continue;
    rmSync(dir, { recursive: true, force: true });
  }
}

function makeFolder(dir: string): string {
  const stats = statSync(dir, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) {
    throw new StartError(`${dir} is a file where a folder is needed: remove it and start again.`);
  }
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}
