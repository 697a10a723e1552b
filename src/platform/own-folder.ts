import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { MAX_YAML_BYTES, readRegularFile } from './regular-file.ts';

/** The path with symbolic links resolved; unchanged if nothing exists there. */
export function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Whether a file is below a folder. Names in the path may begin with two dots, because Kubernetes mounts secrets in such folders. */
export function isWithin(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Whether a file is in one of a tenant's own folders. A folder with the tenant's name is the tenant's own if it is inside a folder of
 * secrets or beside the tenant file. `baseDir`, the folder with the tenant file, is also the tenant's own, unless it contains another
 * tenant's file. For a file in a subfolder of `baseDir`, no folder between `baseDir` and the file may contain a tenant file, because the
 * file may then belong to another tenant. All paths must have their symbolic links resolved.
 */
export function isInOwnFolder(
  file: string,
  from: { readonly tenant: string; readonly baseDir: string | null; readonly folders: readonly string[] },
): boolean {
  const { tenant, baseDir, folders } = from;
  // A text that is no tenant name might lead to another folder, so it gets no own folder here. Other code refuses such a name.
  const isName = /^[a-z0-9][a-z0-9-]*$/.test(tenant);
  const around = isName ? [...(baseDir === null ? [] : [baseDir]), ...folders] : [];
  const own = around.map((folder) => join(real(folder), tenant));
  if (own.some((folder) => isWithin(folder, file))) return true;
  return baseDir !== null && isAlone(real(baseDir), file, tenant);
}

/** Whether no other tenant's file is in the given folder, or in a folder between the given folder and the file. */
function isAlone(folder: string, file: string, tenant: string): boolean {
  if (!isWithin(folder, file)) return false;
  for (let at = dirname(file); ; at = dirname(at)) {
    const files = tenantFilesIn(at, at === folder ? 2 : 1);
    if (at === folder) return files.length < 2 && files.every((name) => tenantOf(join(at, name)) === tenant);
    if (files.length > 0) return false;
  }
}

/** Names of the first `most` tenant files in a folder. */
function tenantFilesIn(folder: string, most: number): readonly string[] {
  const found: string[] = [];
  for (const name of namesIn(folder)) {
    if (!/\.ya?ml$/.test(name) || /\.mapping\.ya?ml$/.test(name)) continue;
    if (tenantOf(join(folder, name)) === null) continue;
    found.push(name);
    if (found.length === most) break;
  }
  return found;
}

/**
 * Names of the files in a folder; none if there is no such folder. If the folder cannot be read, returns one invented name of a tenant
 * file. The folder then does not count as one tenant's own, because another tenant's file may be in it.
 */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(code) ? [] : ['unreadable.yaml'];
  }
}

/** The name of the tenant that a file declares; `''` if the file cannot be read, null if it is no tenant file. */
function tenantOf(path: string): string | null {
  try {
    const { text } = readRegularFile(path, MAX_YAML_BYTES);
    const [, name] = /^\s*\{?\s*["']?tenant["']?\s*:\s*["']?([^\s"',}#]*)/m.exec(text) ?? [];
    return name ?? null;
  } catch {
    return '';
  }
}

/** Texts that identify a file, whatever path leads to it: its path with symbolic links resolved, and its device and inode. */
export function identitiesOf(path: string): readonly string[] {
  const found = real(path);
  const stats = statSync(found, { throwIfNoEntry: false });
  return stats === undefined ? [found] : [found, `${stats.dev}:${stats.ino}`];
}
