import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the running program: a checkout or an installed package. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The files that determine how a process behaves, including the versions of its dependencies. */
export const SOURCES = [
  'activities',
  'workflows',
  'src',
  'temporal.config.ts',
  'temporal.config.js',
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
];

const ID_LENGTH = 12;

/**
 * The release version of the running program, and its build id: a hash of the files in `SOURCES`, so that the same code has the same id on
 * every machine.
 */
export async function ownBuild(root = ROOT): Promise<{ readonly version: string; readonly buildId: string }> {
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { version } = manifest as { readonly version: string };
  return { version, buildId: (await hashOf(root, SOURCES)).slice(0, ID_LENGTH) };
}

/** Returns a hash of the names and contents of these files and folders. A missing file or folder counts as empty. */
export async function hashOf(root: string, names: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const name of names) {
    const path = join(root, name);
    const inside = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
    const files = inside?.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)) ?? [
      path,
    ];
    for (const file of files.toSorted()) {
      const content = await readFile(file).catch(() => '');
      hash.update(`\0${file.slice(root.length)}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}
