import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { platform } from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How to run PostgreSQL's programs on this machine. */
export type Launcher = {
  readonly kind: 'plain' | 'user-namespace' | 'capability';
  /** The user id that must own the data directory. */
  readonly uid: number;
  readonly gid: number;
  /** The command line that runs `command` under this launcher. Every wrapper uses exec, so the program keeps the pid. */
  wrap(command: string, args: readonly string[]): readonly [string, readonly string[]];
};

/** Sends SIGINT, PostgreSQL's fast shutdown, to the server when its parent dies, even by SIGKILL. */
const DIE_WITH_PARENT = ['--pdeathsig', 'INT'] as const;

/** The user "nobody": initdb needs a user with a name, and every system has this one. */
const NOBODY = 65534;

const NAMESPACE_ARGS = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`] as const;

const CAPABILITY_ARGS = [
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  // Without it access(2), with which initdb looks for `postgres`, ignores the capability.
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
] as const;

/**
 * Chooses a launcher. PostgreSQL refuses to run as uid 0, and root's checkout may be below a folder that only root may enter. There are two
 * ways without adding a user to the machine:
 * 1. `unshare --user`, preferred: a user namespace in which root is called "nobody". PostgreSQL sees an ordinary user; the kernel still
 * sees the owner of root's files, without any capability. Root keeps the data.
 * 2. `setpriv` to "nobody" with the one capability to bypass file permissions, for containers whose seccomp profile forbids namespaces and
 * for folders of other users. "nobody" gets the data directory.
 * Each is tried with the real program and folder before it is chosen. An ordinary user needs neither, except a user without an entry in the
 * user database (a container with an arbitrary uid), because initdb refuses one. On macOS the server can outlive its parent; the next start
 * stops it. Throws if no launcher works.
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
    // The death signal is set inside the namespace, because a change of credentials would clear it.
    wrap: (command, args) => ['unshare', [...NAMESPACE_ARGS, 'setpriv', ...DIE_WITH_PARENT, command, ...args]],
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

/** Folders of unshare, setpriv and sh. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';

/** The environment of PostgreSQL's programs: no secrets, and messages in English. */
export function launchEnvironment(): NodeJS.ProcessEnv {
  return { PATH: SYSTEM_PATH, LC_ALL: 'C', TZ: 'UTC' };
}
