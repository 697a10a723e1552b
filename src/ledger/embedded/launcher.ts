import { execFile } from 'node:child_process';
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

const NAMESPACE_ARGS = ['--user', '--map-user=1000', '--map-group=1000'] as const;

const NOBODY = 65534;
const CAPABILITY_ARGS = [
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
] as const;

/**
 * PostgreSQL refuses to run as uid 0, and root's checkout may lie below a folder that only root may enter. Two ways
 * round, without adding a user to the machine:
 *
 * 1. `unshare --user`: a user namespace in which root is called 1000. PostgreSQL sees an ordinary user, the kernel
 *    still sees the owner of root's files, without any capability. The data stays root's. Preferred.
 * 2. `setpriv` to "nobody" with the one capability to pass file permissions. For containers whose seccomp profile
 *    forbids namespaces, and for folders of other users. The data directory is given to "nobody".
 *
 * Each is tried on the very program and folder before it is chosen. An ordinary user needs neither; on macOS
 * nothing binds the server's life to ours, and the next start stops what a kill left running.
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
  const namespace: Launcher = {
    kind: 'user-namespace',
    uid: 0,
    gid: 0,
    // The death signal is set inside: a change of credentials would clear it.
    wrap: (command, args) => [
      'unshare',
      [...NAMESPACE_ARGS, 'setpriv', ...DIE_WITH_PARENT, command, ...args],
    ],
  };
  const capability: Launcher = {
    kind: 'capability',
    uid: NOBODY,
    gid: NOBODY,
    wrap: (command, args) => ['setpriv', [...CAPABILITY_ARGS, ...DIE_WITH_PARENT, command, ...args]],
  };
  return platform === 'linux' ? [namespace, capability] : [];
}

function ordinaryLaunchers(uid: number, gid: number): readonly Launcher[] {
  const plain: Launcher = { kind: 'plain', uid, gid, wrap: (command, args) => [command, args] };
  const bound: Launcher = {
    ...plain,
    wrap: (command, args) => ['setpriv', [...DIE_WITH_PARENT, command, ...args]],
  };
  return platform === 'linux' ? [bound, plain] : [plain];
}

async function works(launcher: Launcher, postgres: string, folder: string): Promise<boolean> {
  const probe = 'test -w "$1" && exec "$0" --version';
  const [command, args] = launcher.wrap('/bin/sh', ['-c', probe, postgres, folder]);
  return run(command, args, { timeout: 10_000, env: launchEnvironment() }).then(
    () => true,
    () => false,
  );
}

/** What PostgreSQL's programs may know of our environment: no secret of ours, and messages in English. */
export function launchEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}
