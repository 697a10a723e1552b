import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, lchown, lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { type Launcher, launchEnvironment } from './launcher.ts';

const run = promisify(execFile);

/** The database role that owns all tables; its password is generated. */
export const ROLE = 'lockstep';

const INITDB_TIMEOUT_MS = 120_000;

/** A locale that sorts text equally on every machine and after every update of its C library. */
const LOCALE_ARGS = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/**
 * Makes sure that `dataDir` contains a complete cluster owned by the launcher's user, and returns the password of `ROLE` (stored in
 * `<dataDir>.password`, mode 0600). A new cluster is made in a neighbouring folder and renamed when complete, so a kill half-way leaves
 * nothing that looks like data. Throws an error, one sentence for a person, if the folder contains other files, or data of another
 * PostgreSQL version or user.
 */
export async function prepareCluster(dataDir: string, binaries: Binaries, launcher: Launcher): Promise<string> {
  await removeHalfMade(dataDir);
  const exists = await holdsCluster(dataDir, binaries);
  const { password, isNew } = await loadPassword(`${dataDir}.password`);
  if (!exists) await makeCluster(dataDir, binaries, launcher);
  await takeOwnership(dataDir, launcher);
  // The password file was lost. The owner of the data directory may set a new password.
  if (exists && isNew) await resetPassword(dataDir, binaries, launcher, password);
  return password;
}

async function removeHalfMade(dataDir: string): Promise<void> {
  const prefix = `${basename(dataDir)}.making-`;
  for (const name of await readdir(dirname(dataDir))) {
    if (!name.startsWith(prefix)) continue;
    if (isRunning(Number(name.slice(prefix.length)))) continue;
    await rm(join(dirname(dataDir), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  if (!(pid > 1) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function holdsCluster(dataDir: string, binaries: Binaries): Promise<boolean> {
  const entries = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`${dataDir} cannot be read (${error.code}): start as its owner, or choose another folder.`);
  });
  if (entries === null) return false;
  if (entries.length === 0) {
    await rmdir(dataDir);
    return false;
  }
  if (!entries.includes('PG_VERSION')) {
    throw new Error(`${dataDir} is not empty and holds no PostgreSQL data: move it away, or choose another folder.`);
  }
  const onDisk = (await readFile(join(dataDir, 'PG_VERSION'), 'utf8')).trim();
  const { stdout } = await run(binaries.postgres, ['--version'], { env: launchEnvironment() });
  const ours = /(\d+)/.exec(stdout)?.[1];
  if (onDisk === ours) return true;
  throw new Error(
    `${dataDir} was made by PostgreSQL ${onDisk}, and this is ${ours}: move it away to start afresh, or go back to the version before.`,
  );
}

async function loadPassword(path: string): Promise<{ password: string; isNew: boolean }> {
  const known = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (known !== '') {
    await chmod(path, 0o600);
    return { password: known, isNew: false };
  }
  const password = randomBytes(24).toString('base64url');
  const temporary = `${path}.${process.pid}`;
  const file = await open(temporary, 'w', 0o600);
  await file.writeFile(`${password}\n`);
  await file.sync();
  await file.close();
  await rename(temporary, path);
  return { password, isNew: true };
}

async function makeCluster(dataDir: string, binaries: Binaries, launcher: Launcher): Promise<void> {
  const making = `${dataDir}.making-${process.pid}`;
  const cluster = join(making, 'cluster');
  await mkdir(making, { mode: 0o700 });
  const passwordFile = join(making, 'password');
  try {
    const password = await readFile(`${dataDir}.password`);
    const file = await open(passwordFile, 'wx', 0o600);
    await file.writeFile(password);
    await file.close();
    await lchown(passwordFile, launcher.uid, launcher.gid);
    await lchown(making, launcher.uid, launcher.gid);
    const [command, args] = launcher.wrap(binaries.initdb, [
      '-D',
      cluster,
      `--username=${ROLE}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      ...LOCALE_ARGS,
    ]);
    await run(command, args, { timeout: INITDB_TIMEOUT_MS, env: launchEnvironment() });
    await rename(cluster, dataDir);
  } catch (error) {
    const reason = lastLine((error as { stderr?: string }).stderr) ?? (error as Error).message;
    throw new Error(`The database could not be made in ${dataDir}: ${reason}`);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/**
 * Gives the data to the launcher's user. Root may have used the other launcher before; an ordinary user cannot take over another user's
 * data.
 */
async function takeOwnership(dataDir: string, launcher: Launcher): Promise<void> {
  const { uid, mode } = await stat(dataDir);
  if ((mode & 0o077) !== 0 && uid === launcher.uid) await chmod(dataDir, 0o700);
  if (uid === launcher.uid) return;
  if (process.getuid?.() !== 0) {
    throw new Error(`${dataDir} belongs to another user (uid ${uid}): start as that user, or choose another folder.`);
  }
  // The top folder comes last, because its owner then shows that the whole tree was changed.
  for (const name of await readdir(dataDir, { recursive: true })) {
    const path = join(dataDir, name);
    if ((await lstat(path)).uid !== launcher.uid) await lchown(path, launcher.uid, launcher.gid);
  }
  await lchown(dataDir, launcher.uid, launcher.gid);
}

async function resetPassword(dataDir: string, binaries: Binaries, launcher: Launcher, password: string): Promise<void> {
  const [command, args] = launcher.wrap(binaries.postgres, ['--single', '-D', dataDir, 'postgres']);
  const work = run(command, args, { timeout: INITDB_TIMEOUT_MS, env: launchEnvironment() });
  work.child.stdin?.end(`ALTER ROLE ${ROLE} PASSWORD '${password}'\n`);
  await work.catch(async () => {
    // Otherwise the next start would use a password that was never set.
    await rm(`${dataDir}.password`, { force: true });
    throw new Error(`A new database password could not be set for ${dataDir}.`);
  });
}

function lastLine(text: string | undefined): string | undefined {
  return text?.trim().split('\n').at(-1);
}
