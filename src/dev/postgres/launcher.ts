import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { platform } from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How PostgreSQL's programs are run on this machine. */
export type Launcher = {
  readonly kind: 'plain' | 'user-namespace' | 'capability';
  /** Owner that the data directory must have on disk. */
  readonly uid: number;
  readonly gid: number;
  /** The command line that runs `command` under this launcher. Every wrapper execs, so the pid stays the program's. */
  wrap(command: string, args: readonly string[]): readonly [string, readonly string[]];
};

/** When the process that started it dies, even by SIGKILL, the server gets SIGINT: PostgreSQL's fast shutdown. */
const DIE_WITH_PARENT = ['--pdeathsig', 'INT'] as const;

/** initdb wants to know its user's name, and "nobody" is the one ordinary user that every system knows. */
const NOBODY = 65534;

const NAMESPACE_ARGS = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`] as const;

const CAPABILITY_ARGS = [
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  // Without it access(2), by which initdb looks for its neighbour, leaves the capability out of account.
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
] as const;

/**
 * PostgreSQL refuses to run as uid 0, and root's checkout may lie below a folder that only root may enter. Two ways
 * round, without adding a user to the machine:
 *
 * 1. `unshare --user`: a user namespace in which root is called "nobody". PostgreSQL sees an ordinary user, the kernel
 *    still sees the owner of root's files, without any capability. The data stays root's. Preferred.
 * 2. `setpriv` to "nobody" with the one capability to pass file permissions. For containers whose seccomp profile
 *    forbids namespaces, and for folders of other users. The data directory is given to "nobody".
 *
 * Each is tried on the very program and folder before it is chosen. An ordinary user needs neither, except one
 * without an entry in the user database (a container with an arbitrary uid), whom initdb refuses. On macOS nothing
 * binds the server's life to ours, and the next start stops what a kill left running.
 *
 * Throws one sentence when root has neither.
 */
export async function chooseLauncher(postgres: string, folder: string): Promise<Launcher> {
  const uid = process.getuid?.() ?? -1;
  const gid = process.getgid?.() ?? -1;
  const candidates = uid === 0 ? rootLaunchers() : ordinaryLaunchers(uid, gid);
  for (const candidate of candidates) {
    if (await works(candidate, postgres, folder)) return candidate;
  }
  if (uid !== 0) {
    throw new Error(
      `The embedded PostgreSQL cannot run here or may not write to ${folder}: check the folder's owner, or set DATABASE_URL.`,
    );
  }
  throw new Error(
    'PostgreSQL does not run as root, and neither "unshare --user" nor "setpriv" works here: start as an ordinary ' +
      'user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

export function rootLaunchers(): readonly Launcher[] {
  const capability: Launcher = {
    kind: 'capability',
    uid: NOBODY,
    gid: NOBODY,
    wrap: (command, args) => ['setpriv', [...CAPABILITY_ARGS, ...DIE_WITH_PARENT, command, ...args]],
  };
  return platform === 'linux' ? [namespaceFor(0, 0), capability] : [];
}

function namespaceFor(uid: number, gid: number): Launcher {
  return {
    kind: 'user-namespace',
    uid,
    gid,
    // The death signal is set inside: a change of credentials would clear it.
    wrap: (command, args) => [
      'unshare',
      [...NAMESPACE_ARGS, 'setpriv', ...DIE_WITH_PARENT, command, ...args],
    ],
  };
}

function isNamed(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function ordinaryLaunchers(uid: number, gid: number): readonly Launcher[] {
  const plain: Launcher = { kind: 'plain', uid, gid, wrap: (command, args) => [command, args] };
  const bound: Launcher = {
    ...plain,
    wrap: (command, args) => ['setpriv', [...DIE_WITH_PARENT, command, ...args]],
  };
  if (platform !== 'linux') return [plain];
  return isNamed() ? [bound, plain] : [namespaceFor(uid, gid), bound, plain];
}

async function works(launcher: Launcher, postgres: string, folder: string): Promise<boolean> {
  const probe = 'test -w "$1" && exec "$0" --version';
  const [command, args] = launcher.wrap('/bin/sh', ['-c', probe, postgres, folder]);
  return run(command, args, { timeout: 10_000, env: launchEnvironment() }).then(
    () => true,
    () => false,
  );
}

/** Where systems keep unshare, setpriv and sh. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';

/** What PostgreSQL's programs may know of our environment: no secret of ours, and messages in English. */
export function launchEnvironment(): NodeJS.ProcessEnv {
  return { PATH: SYSTEM_PATH, LC_ALL: 'C', TZ: 'UTC' };
}
